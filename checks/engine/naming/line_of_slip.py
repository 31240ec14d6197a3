"""The line that a slip is in, if the step stopped in another one."""

from __future__ import annotations

import ast
import re

from checks.engine.course.skeleton import functions
from checks.engine.naming.scene import assigned, spans
from checks.engine.verdicts import Named

IN_INIT = ("super-init-late", "never-kept", "no-self")
OF_A_FUNCTION = ("definition-misspelt", "method-outside", "self-not-a-parameter")


def line_of_slip(tree: ast.Module, slip: Named, words: list[str], stopped: int) -> int | None:
    """The line; None if the slip is where the step stopped. `words` fill the slip's sentence."""
    if says := re.search(r"\bline (\d+)", slip.says):
        return int(says[1])
    defined = dict(functions(tree))
    if slip.name in IN_INIT:
        classes = [n for n in tree.body if isinstance(n, ast.ClassDef)]
        around = [c for c in classes if spans(c, stopped)] or classes
        inits = [defined[name] for c in around if (name := f"{c.name}.__init__") in defined]
        sets = [to.lineno for init in inits for to, _ in assigned(init) if ast.unparse(to) in words]
        return next(iter([*sets, *(init.lineno for init in inits)]), None)
    for name, function in defined.items():
        if words and name.split(".")[-1] == words[0].split(".")[-1]:
            if slip.name == "no-return":
                return function.body[-1].lineno
            if slip.name in OF_A_FUNCTION:
                return function.lineno
    return None
