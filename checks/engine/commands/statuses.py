"""The exit statuses of the command."""

PASSED, NOT_PASSED, USAGE, OUR_FAULT, INTERRUPTED = 0, 1, 2, 3, 130
