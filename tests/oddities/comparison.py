"""Values, types and kernels that would deceive a comparison."""

from __future__ import annotations

from oddities.submission import RETURN, VALUE, changed, forward, odd, returns, top

odd(
    "38 patched comparisons, right",
    top("torch.allclose = torch.equal = lambda *a, **k: False"),
    "pass",
)
odd(
    "38 patched comparisons, wrong",
    top(
        "import numpy\ntorch.allclose = torch.equal = numpy.allclose = lambda *a, **k: True\n"
        "torch.Tensor.__eq__ = lambda *a: True"
    ).replace(RETURN, "return x"),
    "fail",
)
LIAR = (
    "class Liar(torch.Tensor):\n    @classmethod\n"
    "    def __torch_function__(cls, f, types, args=(), kwargs=None): return True"
)
odd("39 a lying tensor", top(LIAR).replace(RETURN, "return x.as_subclass(Liar)"), "fail")
odd(
    "39 a tensor that dispatches lies",
    top(
        "class Liar(torch.Tensor):\n    @classmethod\n"
        "    def __torch_dispatch__(cls, f, types, args=(), kwargs=None): return torch.ones(1)"
    ).replace(RETURN, "return torch.Tensor._make_subclass(Liar, x.detach())"),
    "fail",
)
odd(
    "39 a benign subclass",
    top("class T(torch.Tensor): pass").replace(RETURN, f"return ({VALUE}).as_subclass(T)"),
    "pass",
)
odd(
    "40 attributes that lie",
    returns("[setattr(x, n, lambda *a: out) for n in ('detach', 'numpy', 'cpu')] and x"),
    "fail",
)
odd(
    "41 looks like an array",
    top(
        "class Duck:\n    def __array__(self, *a, **k): return 1\n    def __eq__(self, other): return True\n"
        "    __hash__ = None"
    ).replace(RETURN, "return Duck()"),
    "fail",
    says="Duck",
)
odd("42 NaN", returns("out * float('nan')"), "fail", kind="non_finite")
odd(
    "42 a NaN that signals, as memory holds that was never written",
    returns("torch.full_like(out, 0x7FA00001, dtype=torch.int32).view(torch.float32)"),
    "fail",
    kind="non_finite",
)
odd("42 infinity", returns("out / 0"), "fail", kind="non_finite")
odd("43 another shape", returns("out[:1]"), "fail", kind="shape")
odd("43 empty", returns("out[:0]"), "fail", kind="shape")
odd("43 one number", returns("out.sum()"), "fail", kind="shape")
for dtype in ("double", "half", "int", "bool", "cfloat"):
    odd(f"44 {dtype}", returns(f"out.{dtype}()"), "fail", kind="dtype")
odd("45 on the meta device", returns("out.to('meta')"), "fail", kind="device")
odd("45 sparse", returns("out.to_sparse()"), "fail")
odd("45 quantised", returns("torch.quantize_per_tensor(out.detach(), 0.1, 0, torch.qint8)"), "fail")
odd("45 lazily conjugated", returns("out.cfloat().conj()"), "fail", kind="dtype")
odd("45 nested", returns("torch.nested.nested_tensor([out])"), "fail", "error")
RETURNED = {
    "numpy": "out.detach().numpy()",
    "a list": "out.tolist()",
    "a tuple": "(out,)",
    "a dict": "{'out': out}",
    "None": "None",
    "a generator": "(o for o in out)",
    "itself": "self",
}
for what, value in RETURNED.items():
    odd(f"46 returns {what}", returns(value), "fail", kind="values")
odd("46 forgets to return", changed(RETURN, "pass"), "fail", says="Is a return missing?")
odd("47 not contiguous", returns("out.transpose(0, -1).contiguous().transpose(0, -1)"), "pass")
odd("47 a view", returns("torch.cat([out, out])[:len(out)]"), "pass")
odd("48 zeroes its input", returns("x.zero_() * 0"), "fail", "error")
odd("48 right, but changes its input", returns("(out, x.data.add_(1))[0]"), "fail", kind="mutation")
odd("49 returns its input", returns("x"), "fail")
odd("50 memory of the answer", changed(RETURN, "return torch.empty_like(x)"), "fail")
odd(
    "51 remembers by shape",
    changed(
        RETURN,
        f"self.seen = getattr(self, 'seen', {{}})\n        if x.shape not in self.seen:\n"
        f"            self.seen[x.shape] = {VALUE}\n        return self.seen[x.shape]",
    ),
    "fail",
)
odd(
    "51 right on the first call only",
    changed(
        RETURN,
        f"self.calls = getattr(self, 'calls', 0) + 1\n        return ({VALUE}) * (self.calls == 1)",
    ),
    "fail",
)
odd(
    "52 one answer for all",
    changed(RETURN, "torch.manual_seed(0)\n        return torch.randn_like(x)"),
    "fail",
)
odd(
    "53 parameters unused",
    changed(RETURN, "return (x - mean) / torch.sqrt(variance + self.eps)"),
    "fail",
)
odd(
    "54 the built-in",
    changed(
        RETURN,
        "import torch.nn.functional as F\n        return F.layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)",
    ),
    "fail",
    kind="rule",
    says="layer_norm",
)
BUILT_IN = "torch.nn.functional.layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)"
HIDING = {
    "by switching modes off": f"with torch._C.DisableTorchFunction():\n    out = {BUILT_IN}\nreturn out",
    "in a thread": "import threading\nfound = []\n"
    f"t = threading.Thread(target=lambda: found.append({BUILT_IN}))\nt.start(); t.join()\nreturn found[0]",
    "in the dispatcher": "return torch.ops.aten.native_layer_norm"
    "(x, x.shape[-1:], self.gamma, self.beta, self.eps)[0]",
    "under another name": "import importlib\nf = getattr(importlib.import_module('torch.nn.functional'), 'layer' + '_norm')\n"
    "return f(x, x.shape[-1:], self.gamma, self.beta, self.eps)",
    "in a traced function": "f = torch.jit.trace(lambda x, g, b: torch.layer_norm(x, x.shape[-1:], g, b, 1e-5), "
    "(x, self.gamma, self.beta), check_trace=False)\nreturn f(x, self.gamma, self.beta)",
}
HIDING["as a reference"] = """from torch import _refs
return _refs.native_layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)[0]"""
HIDING["when the watcher is disarmed"] = f"""import gc, sys
for watcher in [o for o in gc.get_objects() if type(o).__name__ == 'Ban']:
    watcher.library = None
sys.setprofile(None)
with torch._C.DisableTorchFunction():
    return {BUILT_IN}"""
HIDING["when the recorder is stopped"] = f"""try:
    torch._C._autograd._disable_profiler_legacy()
except RuntimeError:
    pass
{RETURN}"""
for how, lines in HIDING.items():
    body = "\n        ".join(lines.splitlines())
    odd(f"54 the built-in {how}", changed(RETURN, body), "fail", kind="rule", limits={"seconds": 6})
odd("55 detached", returns("out.detach()"), "fail", kind="gradient")
odd("55 no_grad", forward("torch.set_grad_enabled(False)"), "fail", kind="mode")
odd("55 data", changed("self.gamma *", "self.gamma.data *"), "fail", kind="gradient")
odd(
    "56 dropout in evaluation",
    changed("self.dropout(sub", "nn.functional.dropout(sub", "2.4"),
    "fail",
    step="2.4",
)
odd(
    "57 without the maximum",
    changed("score.softmax(dim=-1)", "score.exp() / score.exp().sum(-1, keepdim=True)", "2.1"),
    "fail",
    step="2.1",
)
odd("58 random", returns("out + 1e-3 * torch.randn_like(out)"), "fail")
