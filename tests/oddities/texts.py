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
odd("76 UTF-16 without a mark", RIGHT.encode("utf-16-le"), "unreadable")
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
