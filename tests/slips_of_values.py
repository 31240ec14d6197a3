"""Slips in values, brackets and whole methods: each maker gives edits of a solution."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from slip_tools import Def, Edit, classes, kept, methods, misspelt, on_self


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
