"""What the arguments of a step's functions are called: as in the solution."""

from __future__ import annotations

from functools import cache

from checks.contents import SOLUTIONS
from checks.machine.course.skeleton import functions
from checks.machine.course.syntax import parsed


@cache
def arguments(path: str) -> dict[str, list[str]]:
    """Of every function in a step's file, of every class (what is called is its `forward`), and of
    every other method with the class before its name.
    """
    found = {}
    for name, function in functions(parsed((SOLUTIONS / path).read_text("utf-8"))):
        names = [argument.arg for argument in function.args.args]
        found[name.removesuffix(".forward")] = [each for each in names if each != "self"]
    return found
