"""What tests of `hunt` share."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from conftest import Said

from checks.engine.hosting.host import Host
from checks.hunting import command, judging


@pytest.fixture
def hunts(host: Host, said: Said, monkeypatch: pytest.MonkeyPatch) -> Said:
    """`said`, with a host that is there already."""
    for module in (command, judging):
        monkeypatch.setattr(module, "Host", lambda: nullcontext(host))
    return said
