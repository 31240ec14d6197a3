"""The argument names of a step's functions, from the solution."""

from __future__ import annotations

from functools import cache

from checks.contents import SOLUTIONS
from checks.engine.course.skeleton import functions
from checks.engine.course.syntax import parsed


@cache
def arguments(path: str) -> dict[str, list[str]]:
    """The arguments of every function, class and other method in a step's file.

    A class has the arguments of its `forward`. A method has the class before its name.
    """
    found = {}
    for name, function in functions(parsed((SOLUTIONS / path).read_text("utf-8"))):
        names = [argument.arg for argument in function.args.args]
        found[name.removesuffix(".forward")] = [each for each in names if each != "self"]
    return found
