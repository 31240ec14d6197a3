"""Slips of Python and PyTorch, written into the solution of a step wherever they can be made."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from textwrap import indent

from checks.contents import STEPS, Step
from checks.engine.course.source import solution

Edit = tuple[ast.AST, str]  # A node, and what stands in its place.
Def = ast.FunctionDef


def slips(step: Step) -> Iterator[tuple[str, str, str]]:
    """(name of the slip, what was changed, the whole text) of every slip that fits a step."""
    text = solution(step)
    tree = ast.parse(text)
    for name, maker in MAKERS:
        for n, (node, new) in enumerate(maker(tree)):
            start, end = span(text, node)
            changed = with_imports(text, text[:start] + new + text[end:], new)
            if changed != text:
                yield name, f"{maker.__name__}-{n}", changed


def span(text: str, node: ast.AST) -> tuple[int, int]:
    """Where a node stands, in characters."""
    lines = text.splitlines(keepends=True)

    def at(line: int, column: int) -> int:
        return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())

    end = at(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
    return at(node.lineno, node.col_offset), end  # type: ignore[attr-defined]


def with_imports(text: str, changed: str, new: str) -> str:
    """The changed text, and the import of math or torch if the new part needs one."""
    for module in ("math", "torch"):
        if re.search(rf"\b{module}\.", new) and not re.search(rf"(?m)^import {module}$", text):
            changed = re.sub(r"(?m)^(import|from) ", rf"import {module}\n\1 ", changed, count=1)
    return changed


def classes(tree: ast.AST) -> list[ast.ClassDef]:
    return [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]


def methods(tree: ast.AST, name: str = "") -> list[Def]:
    written = [cls for cls in classes(tree) if "Protocol" not in map(ast.unparse, cls.bases)]
    found = [n for cls in written for n in cls.body if isinstance(n, Def)]
    return [n for n in found if not name or n.name == name]


def kept(tree: ast.AST) -> list[tuple[ast.Attribute, ast.expr]]:
    """What is kept on self in __init__: (self.attribute, expression)."""
    found = []
    for init in methods(tree, "__init__"):
        for n in ast.walk(init):
            target = n.targets[0] if isinstance(n, ast.Assign) else getattr(n, "target", None)
            if isinstance(n, ast.Assign | ast.AnnAssign) and on_self(target) and n.value:
                found.append((target, n.value))
    return found  # type: ignore[return-value]


def on_self(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self"


def read(tree: ast.AST) -> list[ast.Attribute]:
    """self.attribute, where it is read: once for each attribute of a class."""
    found = {}
    for method in methods(tree):
        for n in ast.walk(method):
            if on_self(n) and isinstance(n.ctx, ast.Load):  # type: ignore[attr-defined]
                found.setdefault(n.attr, n)  # type: ignore[attr-defined]
    return list(found.values())  # type: ignore[arg-type]


def misspelt(name: str) -> str:
    return name[:2] + name[3:]


def plain_value(tree: ast.AST) -> Iterator[Edit]:
    """self.dropout = dropout"""
    for _, value in kept(tree):
        if ast.unparse(value) == "nn.Dropout(dropout)":
            yield value, "dropout"


def no_parentheses(tree: ast.AST) -> Iterator[Edit]:
    """self.relu = nn.ReLU"""
    for _, value in kept(tree):
        if isinstance(value, ast.Call) and re.match(r"(nn\.)?[A-Z]", ast.unparse(value.func)):
            if ast.unparse(value.func) != "nn.Parameter":
                yield value, ast.unparse(value.func)


def no_self(tree: ast.AST) -> Iterator[Edit]:
    """embedding = nn.Embedding(...)"""
    for target, value in kept(tree):
        if not isinstance(value, ast.Constant):
            yield target, target.attr


def name_without_self(tree: ast.AST) -> Iterator[Edit]:
    """embedding(x)"""
    for n in read(tree):
        yield n, n.attr


def attribute_misspelt(tree: ast.AST) -> Iterator[Edit]:
    for n in read(tree):
        if len(n.attr) > 3:
            yield n, f"self.{misspelt(n.attr)}"


def nn_misspelt(tree: ast.AST) -> Iterator[Edit]:
    """nn.Liner(...), nn.relu(...)"""
    for n in ast.walk(tree):
        if isinstance(n, ast.Attribute) and ast.unparse(n.value) in ("nn", "torch", "F", "math"):
            if len(n.attr) > 3 and n.attr not in ("Module", "float64"):
                yield n, f"{ast.unparse(n.value)}.{misspelt(n.attr)}"


def name_misspelt(tree: ast.AST) -> Iterator[Edit]:
    """A local name or an argument, where it is first read."""
    for function in [n for n in ast.walk(tree) if isinstance(n, Def)]:
        seen = {"self", "nn", "torch"}
        for statement in function.body:
            typed = [n.annotation for n in ast.walk(statement) if isinstance(n, ast.AnnAssign)]
            types = {id(n) for annotation in typed for n in ast.walk(annotation)}
            for n in ast.walk(statement):
                if id(n) in types or not isinstance(n, ast.Name) or not isinstance(n.ctx, ast.Load):
                    continue
                if n.id not in seen and len(n.id) > 3:
                    yield n, misspelt(n.id)
                seen.add(n.id)


def import_misspelt(tree: ast.AST) -> Iterator[Edit]:
    """from s2_attention.layer_norm import Layernorm"""
    for n in ast.walk(tree):
        if isinstance(n, ast.ImportFrom) and (n.module or "").startswith("s"):
            for alias in n.names:
                other = alias.name[0] + alias.name[1:].lower()
                yield alias, other if other != alias.name else misspelt(alias.name)


def not_imported(tree: ast.AST) -> Iterator[Edit]:
    """import math and the like, forgotten."""
    for n in ast.walk(tree):
        if isinstance(n, ast.Import | ast.ImportFrom):
            for alias in n.names:
                left = [other for other in n.names if other is not alias]
                begun = "import" if isinstance(n, ast.Import) else f"from {n.module} import"
                others = ", ".join(map(ast.unparse, left))
                yield n, f"{begun} {others}" if left else "pass"


def no_super(tree: ast.AST) -> Iterator[Edit]:
    for init in methods(tree, "__init__"):
        yield init.body[0], "pass"


def no_self_parameter(tree: ast.AST) -> Iterator[Edit]:
    """def forward(x: Tensor)"""
    for method in methods(tree):
        first = method.args.args[0]
        if len(method.args.args) > 1:
            second = method.args.args[1]
            yield between(first, second), ast.unparse(second)


def between(first: ast.AST, last: ast.AST) -> ast.AST:
    whole = ast.Pass(**{p: getattr(first, p) for p in ("lineno", "col_offset")})
    whole.end_lineno, whole.end_col_offset = last.end_lineno, last.end_col_offset  # type: ignore
    return whole


def self_given(tree: ast.AST) -> Iterator[Edit]:
    """self.split(self, x)"""
    own = {method.name for method in methods(tree)}
    for n in ast.walk(tree):
        if isinstance(n, ast.Call) and on_self(n.func) and n.func.attr in own and n.args:  # type: ignore
            yield n.args[0], f"self, {ast.unparse(n.args[0])}"


def not_asked_about(tree: ast.AST) -> Iterator[Edit]:
    """`if mask is not None` or `if dropout is not None` gone."""
    for n in ast.walk(tree):
        if isinstance(n, ast.If) and ast.unparse(n.test).endswith(" is not None"):
            yield n.test, "True"


def generator(tree: ast.AST) -> Iterator[Edit]:
    for _, value in kept(tree):
        if isinstance(value, ast.Call) and ast.unparse(value.func) == "nn.ModuleList":
            yield value, f"({ast.unparse(value.args[0])})"


def list_called(tree: ast.AST) -> Iterator[Edit]:
    """x = self.layers(x)"""
    for n in ast.walk(tree):
        if isinstance(n, ast.For) and on_self(n.iter) and len(n.body) == 1:
            call = n.body[0].value  # type: ignore[attr-defined]
            if isinstance(call, ast.Call):
                yield n, f"x = {ast.unparse(n.iter)}({', '.join(map(ast.unparse, call.args))})"


def python_and(tree: ast.AST) -> Iterator[Edit]:
    for n in ast.walk(tree):
        if isinstance(n, ast.BinOp) and isinstance(n.op, ast.BitAnd):
            yield n, f"({ast.unparse(n.left)} and {ast.unparse(n.right)})"


def python_not(tree: ast.AST) -> Iterator[Edit]:
    for n in ast.walk(tree):
        if isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.Invert):
            yield n, f"(not {ast.unparse(n.operand)})"


def size_not_called(tree: ast.AST) -> Iterator[Edit]:
    for n in ast.walk(tree):
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "size":
            yield n, ast.unparse(n.func)


def shape_called(tree: ast.AST) -> Iterator[Edit]:
    for n in ast.walk(tree):
        if isinstance(n, ast.Attribute) and n.attr == "shape":
            yield n, f"{ast.unparse(n)}()"


def tuple_kept_whole(tree: ast.AST) -> Iterator[Edit]:
    """out = calculate_attention(...), and out is used"""
    for n in ast.walk(tree):
        if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Tuple):
            if ast.unparse(n.value).startswith("calculate_attention("):
                names = [ast.unparse(name) for name in n.targets[0].elts]
                if all(map(str.isidentifier, names)):
                    yield n.targets[0], " = ".join(names)


def layer_made_on_the_way(tree: ast.AST) -> Iterator[Edit]:
    """nn.ReLU(x), nn.Dropout(x)"""
    made = {target.attr: ast.unparse(value) for target, value in kept(tree)}
    for n in ast.walk(tree):
        if isinstance(n, ast.Call) and on_self(n.func):
            kind = made.get(n.func.attr, "").partition("(")[0]  # type: ignore[attr-defined]
            if kind in ("nn.ReLU", "nn.Dropout", "nn.GELU"):
                yield n.func, kind


def dropout_for_mask(tree: ast.AST) -> Iterator[Edit]:
    """calculate_attention(q, k, v, self.dropout)"""
    for n in ast.walk(tree):
        if isinstance(n, ast.Call) and ast.unparse(n.func) == "calculate_attention":
            if len(n.args) == 5:
                yield n.args[3], "self.dropout"


def power_sign(tree: ast.AST) -> Iterator[Edit]:
    """x ^ 2"""
    for n in ast.walk(tree):
        if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Pow):
            yield n, f"({ast.unparse(n.left)} ^ {ast.unparse(n.right)})"


def math_function(tree: ast.AST) -> Iterator[Edit]:
    """math.sin(angle)"""
    for n in ast.walk(tree):
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute):
            if n.func.attr in ("sin", "cos", "sqrt", "exp", "log"):
                what = n.args[0] if n.args else n.func.value
                if ast.unparse(n.func.value) != "math":
                    yield n, f"math.{n.func.attr}({ast.unparse(what)})"


def torch_function(tree: ast.AST) -> Iterator[Edit]:
    """torch.sqrt(dim_vector)"""
    for n in ast.walk(tree):
        if isinstance(n, ast.Attribute) and ast.unparse(n.value) == "math":
            if n.attr in ("sqrt", "exp", "log"):
                yield n, f"torch.{n.attr}"


def plain_quotient(tree: ast.AST) -> Iterator[Edit]:
    """dim_vector / n_head, but for places where a float does no harm."""
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
    calls = [n for n in calls if ast.unparse(n.func) in ("torch.arange", "rotary_table")]
    harmless = [argument for call in calls for argument in call.args]
    for n in ast.walk(tree):
        if isinstance(n, ast.BinOp) and isinstance(n.op, ast.FloorDiv) and n not in harmless:
            yield n, f"{ast.unparse(n.left)} / {ast.unparse(n.right)}"


def no_dim(tree: ast.AST) -> Iterator[Edit]:
    """x.softmax(), x.transpose()"""
    for n in ast.walk(tree):
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute):
            if n.func.attr in ("softmax", "log_softmax", "cumsum", "unsqueeze", "transpose"):
                yield n, f"{ast.unparse(n.func)}()"


def softmax_made(tree: ast.AST) -> Iterator[Edit]:
    """nn.Softmax(x)"""
    for n in ast.walk(tree):
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute):
            if n.func.attr == "softmax":
                yield n, f"torch.nn.Softmax({ast.unparse(n.func.value)})"


def value_not_made(tree: ast.AST) -> Iterator[Edit]:
    """A variable of a function that is never set, but that the docstring names."""
    for cls in [tree, *classes(tree)]:
        for function in [n for n in cls.body if isinstance(n, Def)]:  # type: ignore[attr-defined]
            texts = [ast.get_docstring(n) or "" for n in (function, cls)]  # type: ignore[arg-type]
            for n in [n for n in function.body if isinstance(n, ast.Assign)]:
                name = ast.unparse(n.targets[0])
                stores = [m for m in ast.walk(function) if ast.unparse(m) == name]
                stores = [m for m in stores if isinstance(getattr(m, "ctx", None), ast.Store)]
                given = [a.arg for a in function.args.args]
                if (
                    len(stores) == 1
                    and name not in given
                    and re.search(rf"\b{re.escape(name)}\b", " ".join(texts))
                ):
                    yield n, "pass"


def square_brackets(tree: ast.AST) -> Iterator[Edit]:
    """self.linear[x]"""
    made = {target.attr: value for target, value in kept(tree) if isinstance(value, ast.Call)}
    for n in ast.walk(tree):
        if isinstance(n, ast.Call) and on_self(n.func) and n.func.attr in made:  # type: ignore
            given = ", ".join(map(ast.unparse, n.args))
            yield n, f"{ast.unparse(n.func)}[{given}]"


def super_without_brackets(tree: ast.AST) -> Iterator[Edit]:
    for init in methods(tree, "__init__"):
        yield init.body[0], "super.__init__()"


def plain_parameter(tree: ast.AST) -> Iterator[Edit]:
    """nn.Parameter(1.0)"""
    for _, value in kept(tree):
        if isinstance(value, ast.Call) and ast.unparse(value.func) == "nn.Parameter":
            yield value.args[0], "1.0"
            yield value.args[0], "[1.0] * dim_vector"


def comma(tree: ast.AST) -> Iterator[Edit]:
    """self.linear = nn.Linear(...),"""
    for _, value in kept(tree):
        if not isinstance(value, ast.Constant):
            yield value, f"{ast.unparse(value)},"


def vector_for_column(tree: ast.AST) -> Iterator[Edit]:
    """torch.arange(n) without unsqueeze(1) or [:, None]"""
    for n in ast.walk(tree):
        if re.fullmatch(r"torch\.arange\(.*\)(\.unsqueeze\(1\)|\[:, None\])", ast.unparse(n)):
            inner = n.func.value if isinstance(n, ast.Call) else n.value  # type: ignore
            yield n, ast.unparse(inner)


def not_called(tree: ast.AST) -> Iterator[Edit]:
    """self.linear in the place of self.linear(x)"""
    made = {target.attr: ast.unparse(value) for target, value in kept(tree)}
    for n in ast.walk(tree):
        sides = [n.left, n.right] if isinstance(n, ast.BinOp) else []
        inside = n.args if isinstance(n, ast.Call) and on_self(n.func) else []
        if inside and not made.get(n.func.attr, "").startswith("nn."):  # type: ignore
            continue  # The error comes in that layer or method.
        for one in [*sides, *inside]:
            if isinstance(one, ast.Call) and on_self(one.func) and one.func.attr in made:  # type: ignore
                yield one, ast.unparse(one.func)


def returned_itself(tree: ast.AST) -> Iterator[Edit]:
    """return self.linear"""
    made = {target.attr for target, value in kept(tree) if isinstance(value, ast.Call)}
    for n in (n for n in ast.walk(tree) if isinstance(n, ast.Return)):
        if isinstance(n.value, ast.Call) and on_self(n.value.func) and n.value.func.attr in made:  # type: ignore
            yield n.value, ast.unparse(n.value.func)


def class_called(tree: ast.AST) -> Iterator[Edit]:
    """AddNorm(x, out) in the place of self.add_norm(x, out)"""
    made = {target.attr: value for target, value in kept(tree) if isinstance(value, ast.Call)}
    for n in (n for n in ast.walk(tree) if isinstance(n, ast.Call) and on_self(n.func)):
        kind = ast.unparse(made[n.func.attr].func) if n.func.attr in made else "nn."  # type: ignore
        if not kind.startswith("nn."):
            yield n.func, kind


def round_for_square(tree: ast.AST) -> Iterator[Edit]:
    """torch.ones[3]"""
    for n in ast.walk(tree):
        if isinstance(n, ast.Call) and re.match(r"(torch|math|F)\.[a-z]\w*$", ast.unparse(n.func)):
            if n.args and not n.keywords:
                yield n, f"{ast.unparse(n.func)}[{', '.join(map(ast.unparse, n.args))}]"


def pair(tree: ast.AST) -> Iterator[Edit]:
    """x.max(dim=0) without .values"""
    for n in ast.walk(tree):
        if isinstance(n, ast.Attribute) and n.attr == "values" and isinstance(n.value, ast.Call):
            yield n, ast.unparse(n.value)


def super_with_arguments(tree: ast.AST) -> Iterator[Edit]:
    for init in methods(tree, "__init__"):
        yield init.body[0], f"super().__init__({init.args.args[1].arg})"


def text_for_number(tree: ast.AST) -> Iterator[Edit]:
    """ "-inf" """
    for n in ast.walk(tree):
        if ast.unparse(n) == "float('-inf')":
            yield n, '"-inf"'


def keyword_misspelt(tree: ast.AST) -> Iterator[Edit]:
    """nn.Linear(…, bais=False)"""
    for n in (n for n in ast.walk(tree) if isinstance(n, ast.Call)):
        for given in n.keywords if re.match(r"(nn|F)\.", ast.unparse(n.func)) else []:
            if given.arg and len(given.arg) > 3:
                yield given, f"{misspelt(given.arg)}={ast.unparse(given.value)}"


def forward_as(
    change: Callable[[Def], str], within: Callable[[str], str]
) -> Callable[[ast.AST], Iterator[Edit]]:
    """Each class with its forward changed, and placed elsewhere."""

    def made(tree: ast.AST) -> Iterator[Edit]:
        for cls in classes(tree):
            for forward in methods(cls, "forward"):
                rest = ast.ClassDef(
                    **{**vars(cls), "body": [n for n in cls.body if n is not forward]}
                )
                yield cls, f"{ast.unparse(rest)}\n{within(change(forward))}"

    return made


def another_name(forward: Def) -> str:
    return ast.unparse(forward).replace("def forward", f"def {misspelt('forward')}", 1)


Maker = Callable[[ast.AST], Iterator[Edit]]
MAKERS: list[tuple[str, Maker]] = [
    ("number-called", plain_value),
    ("class-not-called", no_parentheses),
    ("no-self", no_self),
    ("self-forgotten", name_without_self),
    ("misspelt", attribute_misspelt),
    ("misspelt", nn_misspelt),
    ("misspelt", name_misspelt),
    ("misspelt", import_misspelt),
    ("not-imported", not_imported),
    ("super-init-late", no_super),
    ("self-not-a-parameter", no_self_parameter),
    ("self-twice", self_given),
    ("none-used", not_asked_about),
    ("generator-kept", generator),
    ("list-called", list_called),
    ("and-or-not", python_and),
    ("and-or-not", python_not),
    ("method-not-called", size_not_called),
    ("value-called", shape_called),
    ("tuple-used", tuple_kept_whole),
    ("layer-made-not-applied", layer_made_on_the_way),
    ("wrong-place", dropout_for_mask),
    ("power-sign", power_sign),
    ("math-of-tensor", math_function),
    ("torch-of-number", torch_function),
    ("float-for-int", plain_quotient),
    ("dim-missing", no_dim),
    ("layer-made-not-applied", softmax_made),
    ("only-described", value_not_made),
    ("layer-subscripted", square_brackets),
    ("super-not-called", super_without_brackets),
    ("parameter-of-number", plain_parameter),
    ("comma-makes-tuple", comma),
    ("two-vectors", vector_for_column),
    ("layer-not-called", not_called),
    ("layer-returned", returned_itself),
    ("class-for-object", class_called),
    ("square-brackets", round_for_square),
    ("pair-used", pair),
    ("super-arguments", super_with_arguments),
    ("text-for-number", text_for_number),
    ("keyword-misspelt", keyword_misspelt),
    ("definition-misspelt", forward_as(another_name, lambda text: indent(text, "    "))),
    ("method-outside", forward_as(ast.unparse, str)),
    ("method-inside", forward_as(ast.unparse, lambda text: indent(text, "        "))),
]
ALL = [(step, *slip) for step in STEPS for slip in slips(step)]
