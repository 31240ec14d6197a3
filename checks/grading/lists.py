"""A list of a class: who is in it, and which folder or archive each of them has handed in."""

from __future__ import annotations

import difflib
import os
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from checks.engine.commands.words import Usage
from checks.grading.archives import ending, stem
from checks.grading.tables import Row, columns, letters, plain, read_table

# The headings that spreadsheets and platforms use, as letters: English, German, French.
WORDS: dict[str, tuple[str, ...]] = {
    "name": (
        *("name", "fullname", "student", "studentname", "displayname", "learner", "pupil"),
        *("vollständigername", "schüler", "schülerin", "schülername", "studierende", "teilnehmer"),
        *("nom", "nomcomplet", "nometprénom", "élève", "étudiant"),
    ),
    "first": ("first", "firstname", "givenname", "vorname", "prénom"),
    "last": (
        "last",
        "lastname",
        "surname",
        "familyname",
        "nachname",
        "familienname",
        "nomdefamille",
    ),
    "identifier": (
        *("identifier", "id", "sid", "studentid", "studentnumber", "idnumber", "sisuserid"),
        *("idnummer", "matrikelnummer", "identifiant", "numérodidentification", "numéroétudiant"),
    ),
    "user": (
        *("username", "user", "login", "loginid", "sisloginid", "githubusername", "github"),
        *("benutzername", "anmeldename", "nomdutilisateur"),
    ),
    "email": (
        *("email", "mail", "emailaddress", "emailadresse", "courriel"),
        *("adressedecourriel", "adresseemail", "adressemail"),
    ),
    "path": (
        *("path", "file", "filename", "folder", "directory", "archive", "zip", "pfad", "datei"),
        *("dateiname", "ordner", "verzeichnis", "archiv", "chemin", "fichier", "dossier"),
    ),
}
IDS = ("identifier", "user", "email")
# Moodle: "Anna Lee_123_assignsubmission_file". Canvas: "leeanna_LATE_12_345_work.zip".
OF_A_PLATFORM = re.compile(r"(.+?)(_late)?_\d+_", re.IGNORECASE)


@dataclass
class Student:
    """A row of a list: a name, what else may name a submission, and its path, if it has one.

    `has_id`: whether a cell of the row identifies somebody. `why`: why nothing was found.
    """

    line: int
    name: str
    names: list[str]
    path: str
    has_id: bool
    found: Path | None = None
    why: str = "Nothing was handed in under this name."


def read_list(file: Path, beside: list[Path]) -> list[Student]:
    """The students in a list, with what they handed in. `beside`: what lies beside the list."""
    try:
        table = read_table(file)
    except OSError as error:
        raise Usage(f"The list {file} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise Usage(str(error)) from None
    students = _students(table, file)
    for student in students:
        if student.path:
            _find_path(student, file)
    _find_named([student for student in students if not student.path], students, beside)
    return _without_others(students, file)


def _students(table: list[Row], file: Path) -> list[Student]:
    kinds, rows = columns(table, WORDS)
    if kinds and rows:
        _complete(kinds, rows, file)
    elif rows:
        kinds = {"name": [0], "path": [1]}
        long = next((row for row in rows if any(row.cells[2:])), None)
        if long is not None:
            raise Usage(
                f"{file}, line {long.line}: has {len(long.cells)} cells: {long.cells!r}. It takes "
                "name or name,path; or a first line that says which column is which."
            )
    students: dict[str, Student] = {}
    for row in rows:
        student = _student(row, kinds)
        if student.name:
            students.setdefault(repr(row.cells), student)  # A row that is there twice counts once.
        elif student.path:
            raise Usage(f"{file}, line {row.line}: has no name: {row.cells!r}.")
    return list(students.values())


def _complete(kinds: dict[str, list[int]], rows: list[Row], file: Path) -> None:
    """Find the column of paths by its content, and of names by its place, if no heading tells."""

    def is_path(cell: str) -> bool:
        return bool(cell) and (bool(ending(Path(cell))) or os.path.lexists(file.parent / cell))

    known = [n for places in kinds.values() for n in places]
    others = [n for n in range(max(len(row.cells) for row in rows)) if n not in known]
    if "path" not in kinds:
        kinds["path"] = [n for n in others if any(is_path(_cell(row, n)) for row in rows)][:1]
    if not kinds.keys() - {"path"}:
        kinds["name"] = [n for n in others if n not in kinds["path"]][:1]


def _student(row: Row, kinds: dict[str, list[int]]) -> Student:
    cells = {kind: [_cell(row, n) for n in places] for kind, places in kinds.items()}
    name, given, family, path = (
        next(filter(None, cells.get(kind, [])), "") for kind in ("name", "first", "last", "path")
    )
    if given or family:  # "Name" beside "Vorname" is the family name.
        name = f"{given} {family or name}"
    ids = [cell for kind in IDS for cell in cells.get(kind, []) if cell]
    names = [_in_one_line(each) for each in (name, *ids) if each.strip()]
    return Student(row.line, names[0] if names else "", names, path, bool(ids))


def _cell(row: Row, column: int) -> str:
    return row.cells[column] if column < len(row.cells) else ""


def _in_one_line(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _find_path(student: Student, file: Path) -> None:
    """Find the path of the list, or the only one that differs from it as names may differ."""
    place = file.parent / student.path
    if not os.path.lexists(place):
        place = file.parent / student.path.replace("\\", "/")
    if os.path.lexists(place):
        student.found = place
        return
    student.why = f"There is no {student.path!r} beside {file.name}."
    there = sorted(place.parent.iterdir()) if place.parent.is_dir() else []
    same = [path for path in there if _is_plainly(place.name, path)]
    if len(same) == 1:
        student.found = same[0]
    else:
        student.why += _nearest(place.name, there)


def _find_named(named: list[Student], students: list[Student], beside: list[Path]) -> None:
    """Find what bears a name of a student. The nearer a name, the earlier it has its choice."""
    often = Counter(name for student in students for name in {*student.names})
    for student in named:
        if often[student.name] > 1:
            student.why = "Several in the list have this name. Write a path for each into the list."
        student.names = [name for name in student.names if often[name] == 1]
    taken = {student.found for student in students}
    for same in (_is_exactly, _is_plainly, _has_letters_of):
        free = [path for path in beside if path not in taken]
        for student in named:
            if student.found is None:
                _choose(student, free, same)
        taken |= {student.found for student in named}
    free = [path for path in beside if path not in taken]
    for student in named:
        if student.why == Student.why:
            student.why += _nearest(student.name, free)


def _choose(student: Student, free: list[Path], same: Callable[[str, Path], bool]) -> None:
    for name in student.names:
        found = [path for path in free if same(name, path)]
        if len({stem(path) for path in found}) == 1:
            student.found = found[0]
            return
        if found:
            two = " and ".join(repr(path.name) for path in found[:2])
            student.why = f"Two may be of this name: {two}. Write the path into the list."


def _is_exactly(name: str, path: Path) -> bool:
    return name in (path.name, stem(path))


def _is_plainly(name: str, path: Path) -> bool:
    return plain(name) in (plain(path.name), plain(stem(path)))


def _has_letters_of(name: str, path: Path) -> bool:
    """Whether the path has the letters of the name, in either order of first and last name."""
    own = stem(path)
    part = OF_A_PLATFORM.match(own)
    words = re.findall(r"\w+", name)
    orders = {letters(name), *(letters("".join(words[n:] + words[:n])) for n in range(len(words)))}
    return bool(orders & {letters(own), letters(part[1]) if part else ""} - {""})


def _nearest(name: str, paths: list[Path]) -> str:
    known = {plain(stem(path)): path for path in paths}
    near = difflib.get_close_matches(plain(stem(Path(name))), known, 1)
    return f" Did you mean {known[near[0]].name!r}?" if near else ""


def _without_others(students: list[Student], file: Path) -> list[Student]:
    """Leave out rows such as the averages below a table: all other rows identify somebody."""
    if not any(student.has_id for student in students):
        return students
    others = [s for s in students if not (s.has_id or s.path or s.found)]
    for student in others:
        told = "it has no identifier, user name or e-mail address, as others have"
        print(
            f"{file}, line {student.line}: {student.name!r} is left out; {told}.", file=sys.stderr
        )
    return [student for student in students if student not in others]
