"""The program at a pseudo-terminal: read its output while it runs, and press keys."""

import os
import pty
import select
import subprocess
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

WITHIN_S = 60.0
AGAIN_S = 0.2


@dataclass
class Terminal:
    """A program, our end of its terminal, and whether the program has closed its own end."""

    process: "subprocess.Popen[bytes]"
    ours: int
    left: bool = False

    def shows(self, says: bytes, key: bytes = b"") -> bytes:
        """Return the output up to and with `says`. Press `key` again in case the program wasn't waiting for it yet."""
        seen, until = b"", time.monotonic() + WITHIN_S
        while says not in seen and not self.left and time.monotonic() < until:
            self._press(key)
            seen += self._read(AGAIN_S)
        assert says in seen, seen
        return seen

    def leave(self, key: bytes) -> int:
        """Press the key that ends the program until it ends. Return the exit code."""
        until = time.monotonic() + WITHIN_S
        while not self.left and time.monotonic() < until:
            self._press(key)
            self._read(AGAIN_S)
        return self.process.wait(WITHIN_S)

    def rest(self) -> tuple[int, bytes]:
        """Return the exit code and all output, once the program ends by itself."""
        seen = b""
        while not self.left:
            seen += self._read(WITHIN_S)
        return self.process.wait(WITHIN_S), seen

    def _press(self, key: bytes) -> None:
        try:
            os.write(self.ours, key)
        except OSError:  # the other end is closed
            self.left = True

    def _read(self, wait_s: float) -> bytes:
        """Return the next output; nothing if it takes longer than `wait_s`."""
        if not select.select([self.ours], [], [], wait_s)[0]:
            return b""
        try:
            shown = os.read(self.ours, 65536)
        except OSError:  # everything is read, and the other end is closed
            shown = b""
        self.left = not shown
        return shown


@contextmanager
def terminal(
    program: Sequence[str], environ: Mapping[str, str], at: Collection[str] = ("stdin", "stdout", "stderr")
) -> Iterator[Terminal]:
    """Run a program with a terminal `at` these file descriptors and nothing at the others. Kill it at the end."""
    ours, its = pty.openpty()
    stdin, stdout, stderr = (its if there in at else subprocess.DEVNULL for there in ("stdin", "stdout", "stderr"))
    with subprocess.Popen(program, env=dict(environ), stdin=stdin, stdout=stdout, stderr=stderr) as process:
        os.close(its)
        try:
            yield Terminal(process, ours)
        finally:
            process.kill()
            os.close(ours)
