#!/usr/bin/env bash
# Gradescope runs this once, as root, when it makes the image of the assignment.
set -euo pipefail
cd "${AUTOGRADER:-/autograder}/source"

export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y python3 python3-venv bubblewrap
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
    echo "setup.sh: $(python3 --version) will not do; Ubuntu 22.04 or 24.04 has a Python that does." >&2
    exit 1
fi
python3 -m venv venv

if [ -s torch_index.txt ]; then
    grep '^torch==' requirements.txt > torch.txt
    venv/bin/python -m pip install --no-cache-dir --index-url "$(cat torch_index.txt)" -r torch.txt
fi
venv/bin/python -m pip install --no-cache-dir -r requirements.txt

# What is installed, for the log. And whether it can grade: if not, making the image fails, not the
# first student's submission.
venv/bin/python run_step.py doctor || true
venv/bin/python run_step.py grade solutions --steps 2.3 --results "$(mktemp -d)"
