"""The skeleton of a step, made from its solution: there is one source, and `reset` needs no git.

In a solution, the code before the first comment line of a function is given to the learner. From
there on, every comment line is the sentence of a TODO, and the code below it is the answer.
"""

import ast

from checks.engine.files.syntax import parsed


def skeleton(solution: str) -> str:
    """The text of a solution without its answers: TODO sentences and NotImplementedError."""
    lines = solution.splitlines()
    for name, function in reversed(functions(parsed(solution))):
        start, end = _body(function)
        indent = " " * function.body[0].col_offset
        first = next((n for n in range(start, end) if lines[n].startswith(indent + "#")), end)
        if first == end:
            continue
        lines[first:end] = [
            *_todos(lines[first:end], indent),
            f'{indent}raise NotImplementedError("{name}")',
        ]
    return "\n".join(lines) + "\n"


def functions(tree: ast.Module) -> list[tuple[str, ast.FunctionDef]]:
    """Every function and method, from top to bottom, with its dotted name."""
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found.append((node.name, node))
        elif isinstance(node, ast.ClassDef):
            methods = (child for child in node.body if isinstance(child, ast.FunctionDef))
            found += [(f"{node.name}.{method.name}", method) for method in methods]
    return found


def _body(function: ast.FunctionDef) -> tuple[int, int]:
    """The range of lines below the docstring (or the signature), counted from 0, end excluded."""
    first = function.body[0]
    has_docstring = ast.get_docstring(function) is not None
    start = (first.end_lineno or 0) if has_docstring else first.lineno - 1
    return start, function.end_lineno or start


def _todos(lines: list[str], indent: str) -> list[str]:
    """Comment lines as TODOs; a comment that goes on in the next line is one TODO."""
    todos, continued = [], False
    for line in lines:
        is_comment = line.startswith(indent + "#")
        if is_comment:
            sentence = line[len(indent) + 1 :].strip()
            begin = "#       " if continued else "# TODO: "
            todos.append(indent + begin + sentence)
        continued = is_comment
    return todos


def todo_above(solution: str, line: int) -> str:
    """The sentence of the TODO to which a line of a solution belongs; "" if none is above it."""
    todo, goes_on = "", False
    for text in solution.splitlines()[: line - 1]:
        if text.lstrip().startswith("#"):
            sentence = text.strip().lstrip("# ")
            todo, goes_on = f"{todo} {sentence}" if goes_on else sentence, True
            continue
        goes_on = False
        if text.lstrip().startswith(("def ", "class ")):
            todo = ""
    return todo
