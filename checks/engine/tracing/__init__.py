"""What a step's code does on a tiny example: line by line, and in pictures."""
