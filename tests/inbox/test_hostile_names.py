"""Names of a hostile name server, looked up by glibc in a network of their own: none leads to this machine."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from api.services.inbox.guarded_post import NO_PUBLIC_ADDRESS
from tests.api.server_process import CHECKOUT
from tests.inbox.hostile_names import NAME_SERVER, OWN_ADDRESS, ZONE

ENTER = 'mount --bind "$1" /etc/resolv.conf; shift; exec "$@"'


def can_have_a_network() -> bool:
    """Return whether this process may make a network of its own."""
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return False
    return subprocess.run(["unshare", "--mount", "--net", "true"], check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(not can_have_a_network(), reason="this needs root's rights and Linux")
def test_no_name_of_a_hostile_name_server_leads_to_this_machine(tmp_path: Path) -> None:
    resolver = tmp_path / "resolv.conf"
    resolver.write_text(f"nameserver {NAME_SERVER}\noptions timeout:2 attempts:1\n", encoding="ascii")
    program = [sys.executable, "-m", "tests.inbox.hostile_names"]
    command = ["unshare", "--mount", "--net", "sh", "-ec", ENTER, "sh", str(resolver), *program]
    done = subprocess.run(command, cwd=CHECKOUT, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["visitors"] == []
    assert set(report["reasons"].values()) == {NO_PUBLIC_ADDRESS}
    assert set(report["rebinding"]) == {NO_PUBLIC_ADDRESS, "the connection failed"}
    for name, found in report["addresses"].items():
        assert set(found) == {value for _, value in ZONE[name] if not value.endswith(".net")}
    assert set(report["control"]) == {OWN_ADDRESS, "127.0.0.1"}, "the listener would notice"
