"""What people get wrong in s1_numbers/double.py."""

from checks.engine.known import Mistake

ADDS_TWO = Mistake("You add 2. Twice a number is the number times 2.", {"2 * x": "2 + x"})
SQUARES = Mistake("You square the numbers. Twice 3 is 6, not 9.", {"2 * x": "x * x"})
