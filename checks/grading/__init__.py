"""Grading a class: many submissions, points, and the formats that others read."""
