"""The environment variables of workers."""

from __future__ import annotations

import os

KEPT_ENVIRONMENT = {
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "PYTHONPATH", "PYTHONHOME"),
    *("VIRTUAL_ENV", "CONDA_PREFIX", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
    *("SYSTEMROOT", "WINDIR", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "PYTHONUSERBASE"),
}


def clean_environment() -> dict[str, str]:
    """A clean environment for the worker: without tokens, with one thread."""
    kept = {name: os.environ[name] for name in os.environ if name.upper() in KEPT_ENVIRONMENT}
    return {**kept, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
