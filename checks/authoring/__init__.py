"""For authors: `author new` writes the files of a step, `author check` says what it still lacks."""
