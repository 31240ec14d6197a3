"""Files and their texts."""

from __future__ import annotations

from oddities.submission import DIED, RIGHT, changed, odd, top

odd(
    "74 SyntaxError",
    changed("def forward(self, x", "def forward(self x"),
    "error",
    says="layer_norm.py:",
)
odd("74 IndentationError", changed("        mean =", "       mean ="), "error", says="Indentation")
odd("74 tabs and spaces", changed("        mean =", "\tmean ="), "error", says="TabError")
odd(
    "75 NUL", RIGHT.encode() + b"\0", "unreadable", says=f"NUL byte at offset {len(RIGHT.encode())}"
)
odd("76 Latin-1", RIGHT.encode() + b"\n# caf\xe9\n", "unreadable", says="UTF-8")
odd("76 UTF-16", RIGHT.encode("utf-16"), "unreadable", says="UTF-16")
odd("76 UTF-16 without a mark", RIGHT.encode("utf-16-le"), "unreadable", says="UTF-16. Save")
odd("76 Latin-1, and says so", b"# -*- coding: latin-1 -*-\n# caf\xe9\n" + RIGHT.encode(), "pass")
odd("77 byte order mark", b"\xef\xbb\xbf" + RIGHT.encode(), "pass")
odd("77 Windows line ends", RIGHT.replace("\n", "\r\n").encode(), "pass")
odd("77 old Mac line ends", RIGHT.replace("\n", "\r").encode(), "pass")
odd("77 form feed", RIGHT.replace("\nclass", "\n\x0cclass").encode(), "pass")
odd("77 Control-Z at the end", RIGHT.encode() + b"\x1a", "error", "pass", "unreadable")
odd("78 empty", "", "untouched")
odd("78 comments only", "# soon\n", "untouched")
odd("79 100 MB", RIGHT.encode() + b"#" * 100_000_000, "unreadable", says="100")
odd(
    "79 a long literal",
    top("x = [" + "1," * 400_000 + "]"),
    "pass",
    "error",
    "memory",
    limits={"seconds": 6},
)

odd("79 10,000 brackets", top("x = " + "(" * 10_000), "error")
odd("79 10,000 minus signs", top("x = " + "-" * 10_000 + "1"), *DIED, "pass")
odd("79 900 minus signs", top("x = " + "-" * 900 + "1").replace("+ self.beta", ""), "fail")
odd(
    "79 900 minus signs, an error",
    top("x = " + "-" * 900 + "1").replace("+ self.beta", "+ self.bta"),
    "error",
)
odd("82 a notebook's magic", top("%matplotlib inline"), "error", says="notebook")
odd("82 a notebook's shell", top("!pip install torch"), "error", says="notebook")
odd("82 a merge", top("<<<<<<< HEAD"), "error", says="a mark of a merge")
odd("82 the end of a merge", RIGHT + ">>>>>>> 1a2b3c\n", "error", says="a mark of a merge")
odd(
    "82 a merge in brackets",
    RIGHT + "x = (\n<<<<<<< HEAD\n1)\n=======\n2)\n",
    "error",
    says=f"Line {RIGHT.count(chr(10)) + 2} is a mark of a merge",
)
odd("82 a chat's fence", top("```python"), "error", says="in a chat")
odd("82 a prompt", top(">>> x = 1"), "error", says="prompt of a Python session")
odd("82 a no-break space", top("x =\u00a01"), "error", says="(no-break space) came with")
odd("82 a zero-width space", top("x\u200b = 1"), "error", says="(zero width space) came with")
odd("82 input", top("size = input()"), "error", says="Nobody can answer here")
