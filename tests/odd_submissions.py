"""What students hand in that is no plain folder or archive, and the row that each is to get."""

from __future__ import annotations

import os
import sys
import tarfile
import zipfile

from a_class import bomb, right, zipped
from odd_files import (
    FIRST,
    FIRST_ONLY,
    LONG,
    OUT,
    STAGE,
    WRONG,
    Odd,
    below,
    course_clone,
    endless_header,
    entry,
    file,
    linked,
    lying,
    odd_zip,
    packed_bomb,
    patched,
    special,
    tarred,
    tree,
    with_fifo,
    wrong_crc,
)

from checks.contents import SOLUTIONS

ODD: dict[str, Odd] = {
    # Archives that are broken, or more than they seem
    "truncated": Odd(file("truncated.zip", zipped(right())[:2000]), "unreadable", "broken"),
    "wrong-crc": Odd(file("wrong-crc.zip", wrong_crc()), "unreadable", "CRC"),
    "no-archive": Odd(file("no-archive.zip", b"hello"), "unreadable", "broken"),
    "zero-bytes": Odd(file("zero-bytes.zip", b""), "unreadable", "broken"),
    "encrypted": Odd(
        file("encrypted.zip", patched(zipped(FIRST_ONLY), 6, 8, "<H", 1)),
        "unreadable",
        "without a password",
    ),
    "unknown-method": Odd(
        file("unknown-method.zip", patched(zipped(FIRST_ONLY), 8, 10, "<H", 99)),
        "unreadable",
        "unusual way",
    ),
    "bomb": Odd(file("bomb.zip", lambda: bomb(300)), "unreadable", "limit is"),
    "lying-bomb": Odd(
        file("lying-bomb.zip", lambda: lying(bomb(300), 1000)), "unreadable", "broken"
    ),
    "bzip2-bomb": Odd(
        file("bzip2-bomb.zip", lambda: packed_bomb(zipfile.ZIP_BZIP2)), "unreadable", "unusual way"
    ),
    "says-too-much": Odd(
        file("says-too-much.zip", lying(zipped(FIRST_ONLY), 3 << 30)), "unreadable", "limit is"
    ),
    "many-entries": Odd(
        file("many-entries.zip", zipped({f"{n}.py": b"" for n in range(10_001)})),
        "unreadable",
        "10001 files",
    ),
    "nested-archive": Odd(
        file("nested-archive.zip", zipped({"work.zip": zipped(right())})),
        "unreadable",
        "another archive in it: 'work.zip'",
    ),
    "no-members": Odd(file("no-members.zip", zipped({})), "unreadable", "empty"),
    "only-notes": Odd(file("only-notes.zip", zipped({"notes.md": b"#"})), "unreadable", "empty"),
    "rar": Odd(file("rar.rar", b"Rar!"), "unreadable", "hand in a zip"),
    "broken-xz": Odd(file("broken-xz.tar.xz", b"\xfd7zXZ\0" + bytes(100)), "unreadable", "broken"),
    "broken-gz": Odd(file("broken-gz.tgz", b"\x1f\x8b\x08" + bytes(90)), "unreadable", "broken"),
    "endless-header": Odd(file("endless-header.tgz", endless_header), "unreadable", "too large"),
    # Paths that lead out, links, names twice
    "dots": Odd(file("dots.zip", zipped({"../x.py": b"", **FIRST_ONLY})), "unreadable", OUT),
    "absolute": Odd(file("absolute.zip", zipped({"/tmp/x.py": b""})), "unreadable", OUT),
    "drive": Odd(file("drive.zip", zipped({"C:\\x.py": b""})), "unreadable", OUT),
    "backslashes": Odd(file("backslashes.zip", zipped({"..\\..\\x.py": b""})), "unreadable", OUT),
    "dots-in-tar": Odd(
        file("dots-in-tar.tar", tarred(lambda tar: tar.addfile(special("../x.py", b"0")))),
        "unreadable",
        OUT,
    ),
    "link-in-zip": Odd(
        file(
            "link-in-zip.zip",
            odd_zip(lambda z: z.writestr(entry(FIRST, 0o120000), str(SOLUTIONS / FIRST)), {}),
        ),
        "unreadable",
        "a link",
    ),
    "linked-stage-in-zip": Odd(
        file(
            "linked-stage-in-zip.zip",
            odd_zip(lambda z: z.writestr(entry(STAGE, 0o120000), str(SOLUTIONS / STAGE)), {}),
        ),
        "unreadable",
        "no Python file",
    ),
    "twice-in-zip": Odd(
        file("twice-in-zip.zip", odd_zip(lambda z: z.writestr(entry(FIRST), "x = 1"))),
        "unreadable",
        "twice",
    ),
    "case-in-zip": Odd(
        file("case-in-zip.zip", odd_zip(lambda z: z.writestr(f"{STAGE}/TOKEN_embedding.py", ""))),
        "unreadable",
        "twice",
    ),
    "file-and-folder": Odd(
        file("file-and-folder.zip", odd_zip(lambda z: z.writestr(f"{FIRST}/x.py", ""))),
        "unreadable",
        "cannot be written",
    ),
    "long-inside": Odd(
        file("long-inside.zip", odd_zip(lambda z: z.writestr(f"{'n' * 300}.py", ""))),
        "unreadable",
        "cannot be written",
    ),
    "hard-link": Odd(
        file(
            "hard-link.tar",
            tarred(lambda tar: tar.addfile(special("s1_embedding/x.py", tarfile.LNKTYPE, FIRST))),
        ),
        "unreadable",
        "a link",
    ),
    "device": Odd(
        file("device.tar", tarred(lambda tar: tar.addfile(special("x.py", tarfile.CHRTYPE)))),
        "unreadable",
        "in the place of a file",
    ),
    "message-as-name": Odd(
        file("message-as-name.zip", zipped({"../PyTorch could not be started/x.py": b""})),
        "unreadable",
        OUT,
    ),
    # Archives that are fine
    "plain": Odd(file("plain.zip", zipped(right()))),
    "one-folder": Odd(file("one-folder.zip", zipped(below("my work", right())))),
    "with-macosx": Odd(
        file(
            "with-macosx.zip",
            zipped({**below("work", right()), **below("__MACOSX/work", {FIRST: b"\0\5"})}),
        )
    ),
    "from-windows": Odd(
        file(
            "from-windows.zip",
            zipped({path.replace("/", "\\"): content for path, content in right().items()}),
        )
    ),
    "very-deep": Odd(
        file("very-deep.zip", odd_zip(lambda z: z.writestr("a/" * 3000 + "x.py", "")))
    ),
    "with-venv": Odd(
        file("with-venv.zip", odd_zip(lambda z: z.writestr(f"venv/lib/{FIRST}", "broken(")))
    ),
    "tgz": Odd(file("tgz.tgz", tarred(lambda tar: None, "w:gz"))),
    "txz": Odd(file("txz.tar.xz", tarred(lambda tar: None, "w:xz"))),
    "two-dots.target": Odd(file("two-dots.target.zip", zipped(right()))),
    "clone-in-zip": Odd(
        file("clone-in-zip.zip", zipped({**course_clone(), **WRONG})), "fail", "differ"
    ),
    "unbegun-clone": Odd(tree("unbegun-clone", course_clone()), "missing", "There is no file"),
    "two-courses": Odd(
        file("two-courses.zip", zipped({**below("a", right()), **below("b", right())})),
        "unreadable",
        "two courses",
    ),
    # Folders
    "empty-folder": Odd(tree("empty-folder", {}), "unreadable", "empty"),
    "deep-folder": Odd(tree("deep-folder", below("work/transformer", right()))),
    "Erika Müller_4711_assignsubmission_file_": Odd(  # As Moodle hands it on.
        tree("Erika Müller_4711_assignsubmission_file_", {"work.zip": zipped(right())})
    ),
    "two-archives": Odd(
        tree("two-archives", {"a.zip": zipped(right()), "b.zip": zipped(right())}),
        "unreadable",
        "two archives",
    ),
    "too-deep-folder": Odd(
        tree("too-deep-folder", below("a/b/c/d/e", right())),
        "unreadable",
        "It has no stage folder",
    ),
    "wrong-folder": Odd(
        tree("wrong-folder", {"x.py": b""}), "unreadable", "It has no stage folder"
    ),
    "huge-file": Odd(tree("huge-file", {FIRST: b"#" * (2 << 20)}), "unreadable", "2.1 MB"),
    # Names
    "🤖 émile": Odd(tree("🤖 émile", right())),
    'O\'Brien "Q"; rm -rf': Odd(tree('O\'Brien "Q"; rm -rf', right())),
    "two\nlines\r": Odd(tree("two\nlines\r", right())),
    "\u202eeve\x1b[31m": Odd(tree("\u202eeve\x1b[31m", right())),
    "-rf": Odd(file("-rf.zip", zipped(right()))),
    "=1+1": Odd(tree("=1+1", right())),
    "[bold]": Odd(tree("[bold]", right())),
    LONG: Odd(file(f"{LONG}.zip", zipped(right()))),
    "𝒜" * 55: Odd(tree("𝒜" * 55, right())),
    "run": Odd(tree("run", right())),
    "twin": Odd(tree("twin", right())),
    "twin (2)": Odd(file("twin.zip", zipped(WRONG)), "fail", "differ"),
}
if sys.platform != "win32":
    ODD |= {
        "linked-file": Odd(
            linked("linked-file", FIRST, SOLUTIONS / FIRST), "unreadable", "leads out"
        ),
        "linked-stage": Odd(
            linked("linked-stage", STAGE, SOLUTIONS / STAGE), "unreadable", "leads out"
        ),
        "linked-to-another": Odd(
            linked("linked-to-another", FIRST, f"../../twin/{FIRST}"), "unreadable", "leads out"
        ),
        "linked-inside": Odd(linked("linked-inside", FIRST, "positional_embedding.py"), "missing"),
        "link-to-nothing": Odd(linked("link-to-nothing", FIRST, "nothing.py"), "unreadable"),
        "link-to-itself": Odd(linked("link-to-itself", FIRST, "token_embedding.py"), "unreadable"),
        "has-a-pipe": Odd(with_fifo, "unreadable", "is a pipe"),
        "pipe": Odd(lambda folder: os.mkfifo(folder / "pipe.zip"), "unreadable", "neither"),
        "loop": Odd(
            lambda folder: (folder / "loop.zip").symlink_to("loop.zip"), "unreadable", "be read"
        ),
        "nothing": Odd(
            lambda folder: (folder / "nothing.zip").symlink_to("no.zip"), "unreadable", "be read"
        ),
    }
if sys.platform == "linux":
    ODD["\udcff\udcfe"] = Odd(tree("\udcff\udcfe", right()))  # Bytes that are no UTF-8.
