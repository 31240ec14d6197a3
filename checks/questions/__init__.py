"""Questions before the code: `run_step.py ask`.

`kinds` says what a question is, and `questions.py` beside each step has that step's. `drawing`
draws inputs and options, and finds what each wrong option means. `command` asks.
"""
