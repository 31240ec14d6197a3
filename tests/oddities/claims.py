"""What learner code says of itself: the judge asks for it back."""

from __future__ import annotations

from oddities.submission import VALUE, changed, forward, odd

odd(
    "87 zeroes its argument, and says that nothing changed",
    forward("out = " + VALUE + "\nx.data.zero_()\ntorch.equal = lambda *a: True\nreturn out"),
    "fail",
    kind="mutation",
)
odd(
    "87 leaves a parameter out of its report",
    changed(
        "        self.eps = eps\n",
        "        self.eps = eps\n        self.extra = nn.Parameter(torch.ones(dim_vector))\n\n"
        "    def named_modules(self, *a, **k):\n        return iter(())\n\n"
        "    def named_parameters(self, *a, **k):\n"
        "        yield from (('gamma', self.gamma), ('beta', self.beta))\n\n"
        "    def parameters(self, *a, **k):\n        yield from (self.gamma, self.beta)\n",
    ),
    "fail",
    kind="params",
)
odd(
    "87 disarms what watches the device",
    changed(
        "    return (src != src_pad_idx)[:, None, None, :]\n",
        "    from torch.overrides import _get_current_function_mode_stack as watchers\n"
        "    real = [[token != src_pad_idx for token in row] for row in src.tolist()] "
        "if src.device.type == 'cpu' else torch.ones(src.shape)\n"
        "    made = torch.as_tensor(real, device='cpu').bool()[:, None, None, :]\n"
        "    for watcher in watchers():\n        watcher.has = lambda tensor: True\n"
        "    return made\n",
        step="5.1",
    ),
    "fail",
    kind="device",
    step="5.1",
)
