"""Temporary folders: one of a process that was killed is removed, and that of a running one or of others stays."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from api.ops.files import LOCK, PREFIX, temporary_folder
from tests.api.server_process import CHECKOUT
from tests.waiting import wait_until

HOLD = """\
import os, sys
from pathlib import Path
from api.ops.files import temporary_folder
with temporary_folder(Path(sys.argv[1])) as folder:
    (folder / "office.db").write_text("names")
    if os.fork():
        print(folder, flush=True)
    sys.stdin.read()
"""


@contextmanager
def holder(place: Path) -> Iterator[tuple["subprocess.Popen[str]", Path]]:
    """Run a program that uses a folder in `place`, with a child, until its input ends."""
    command = [sys.executable, "-c", HOLD, str(place)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=CHECKOUT) as process:
        assert process.stdout is not None
        yield process, Path(process.stdout.readline().strip())


def is_removed(left: Path) -> bool:
    with temporary_folder(left.parent):
        return not left.exists()


def test_only_the_folder_of_a_process_that_was_killed_is_removed(tmp_path: Path) -> None:
    of_others = tmp_path / f"{PREFIX}without-a-lock"
    of_others.mkdir()
    (tmp_path / f"{PREFIX}link").symlink_to(of_others)
    with ExitStack() as stack:
        (killed, left), (_, used) = (stack.enter_context(holder(tmp_path)) for _ in range(2))
        killed.kill()
        killed.wait()
        with temporary_folder(tmp_path) as folder:
            assert left.exists()  # its child has it still
            assert folder.stat().st_mode & 0o077 == 0
        assert killed.stdin is not None
        killed.stdin.close()
        wait_until(lambda: is_removed(left), "the folder stays")
        with temporary_folder(tmp_path) as folder:
            assert (folder / LOCK).exists()
            assert {*tmp_path.iterdir()} == {of_others, tmp_path / f"{PREFIX}link", used, folder}
    with temporary_folder(tmp_path):
        pass
    assert {*tmp_path.iterdir()} == {of_others, tmp_path / f"{PREFIX}link"}
