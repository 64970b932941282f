"""The program at a pseudo-terminal: what it shows there, read while it runs, and keys for it."""

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
    """A program, the end of the terminal that is ours, and whether the program has let go of its own."""

    process: "subprocess.Popen[bytes]"
    ours: int
    left: bool = False

    def shows(self, says: bytes, key: bytes = b"") -> bytes:
        """What is shown up to and with `says`; a key that came before it was waited for is pressed again."""
        seen, until = b"", time.monotonic() + WITHIN_S
        while says not in seen and not self.left and time.monotonic() < until:
            self._press(key)
            seen += self._read(AGAIN_S)
        assert says in seen, seen
        return seen

    def leave(self, key: bytes) -> int:
        """The exit code, after the key that ends it has been pressed until it did."""
        until = time.monotonic() + WITHIN_S
        while not self.left and time.monotonic() < until:
            self._press(key)
            self._read(AGAIN_S)
        return self.process.wait(WITHIN_S)

    def rest(self) -> tuple[int, bytes]:
        """The exit code, and all that is shown until the program ends by itself."""
        seen = b""
        while not self.left:
            seen += self._read(WITHIN_S)
        return self.process.wait(WITHIN_S), seen

    def _press(self, key: bytes) -> None:
        try:
            os.write(self.ours, key)
        except OSError:  # nobody is at the other end any more
            self.left = True

    def _read(self, wait_s: float) -> bytes:
        """What is shown next, nothing if it takes longer than that."""
        if not select.select([self.ours], [], [], wait_s)[0]:
            return b""
        try:
            shown = os.read(self.ours, 65536)
        except OSError:  # all is read, and the other end is closed
            shown = b""
        self.left = not shown
        return shown


@contextmanager
def terminal(
    program: Sequence[str], environ: Mapping[str, str], at: Collection[str] = ("stdin", "stdout", "stderr")
) -> Iterator[Terminal]:
    """A program with a terminal `at` these of its ends, and nothing at the others; what still runs then is killed."""
    ours, its = pty.openpty()
    stdin, stdout, stderr = (its if there in at else subprocess.DEVNULL for there in ("stdin", "stdout", "stderr"))
    with subprocess.Popen(program, env=dict(environ), stdin=stdin, stdout=stdout, stderr=stderr) as process:
        os.close(its)
        try:
            yield Terminal(process, ours)
        finally:
            process.kill()
            os.close(ours)
