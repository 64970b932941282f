"""The Dockerfile: hadolint finds no fault, and its steps, run without docker, make an image whose server answers."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.campaigns.release.image import Image
from tests.campaigns.release.stage import Stage
from tests.campaigns.release.test_packages import PROJECT
from tests.layout.product import ROOT
from tests.programs import leave_out

DOCKERFILE = ROOT / "Dockerfile"
HADOLINT = Path(sys.executable).parent / "hadolint"
SERVE = """
{server} &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
tries=0
until {healthy} 2>/dev/null; do
    kill -0 $server
    tries=$((tries + 1))
    test $tries -lt 300
    sleep 0.2
done
stat -c '%u:%g' "$TRICKBOOK_DATA/log.db"
kill $server
wait $server
"""
"""Start the server, wait until it's healthy, print the owner of its log, and stop it."""


def test_hadolint_finds_no_fault() -> None:
    told = subprocess.run([HADOLINT, DOCKERFILE], capture_output=True, text=True, check=False, timeout=60)
    assert told.returncode == 0, told.stdout


def need_mounts(folder: Path) -> None:
    """Skip the test where no root can be mounted, or fail if REQUIRE_PROGRAMS=1."""
    tried = Stage(folder).start("true", "--net") if sys.platform == "linux" else None
    if tried is None or tried.returncode != 0:
        leave_out(f"needs root's rights and overlayfs: {tried and tried.stderr}")


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_its_steps_make_an_image_whose_server_answers_unprivileged(tmp_path: Path) -> None:
    need_mounts(tmp_path / "tried")
    image = Image(ROOT, tmp_path)
    last = image.build(DOCKERFILE)
    assert last.run("trickbook --version") == f"trickbook, version {PROJECT['version']}\n"
    assert last.run("id -u; ls -di /src 2>/dev/null || echo no source").split("\n")[:2] == ["10001", "no source"]
    server = shlex.join(json.loads(last.notes["ENTRYPOINT"]) + json.loads(last.notes["CMD"]))
    healthy = shlex.join(json.loads(last.notes["HEALTHCHECK"].partition("CMD ")[2]))
    said = last.run(SERVE.format(server=server, healthy=healthy), "--net").splitlines()
    assert "10001:10001" in said
    assert said[-1] == "stopped"
