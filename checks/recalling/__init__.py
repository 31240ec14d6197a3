"""`recall`: a line of the learner's own passed file, days after, without looking it up.

`schedule` says which steps are due. `items` makes the exercises: a gap, or lines with a wrong one
among them. `command` reads the answers; the real checks judge them.
"""
