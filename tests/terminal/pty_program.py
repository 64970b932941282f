"""The program at a real pseudo-terminal, and what it shows there."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyte

from tests.api.server_process import CHECKOUT, PROGRAM, server_environment

PATIENCE_S, SETTLED_S = 60.0, 0.05
COLUMNS, ROWS = 80, 24
CTRL_C, CTRL_D, TAB, ENTER, UP = b"\x03", b"\x04", b"\t", b"\r", b"\x1b[A"


class PtyProgram:
    """A program at a pseudo-terminal. `raw` is all it has written."""

    def __init__(self, process: "subprocess.Popen[bytes]", master: int, columns: int, rows: int) -> None:
        self.process, self._master = process, master
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""

    @property
    def text(self) -> str:
        """The screen as it is now."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def type(self, text: str | bytes) -> None:
        """Press keys."""
        os.write(self._master, text.encode() if isinstance(text, str) else text)

    def enter(self, line: str) -> None:
        """Type a line once the prompt is empty, and press Enter."""
        self.until(lambda text: text.rstrip().endswith("\n>"))
        self.type(line.encode())
        self.until(lambda text: f"\n> {line}" in text)
        self.type(ENTER)

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the terminal, as its window would."""
        self.screen.resize(rows, columns)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.killpg(self.process.pid, signal.SIGWINCH)

    def until(self, is_there: str | Callable[[str], bool]) -> str:
        """Read what the program writes until the screen has a text and stays the same; return what it shows then."""
        test = (lambda text: is_there in text) if isinstance(is_there, str) else is_there
        until = time.monotonic() + PATIENCE_S
        while not test(self.text):
            if not self._read(until):
                assert test(self.text), f"The program has ended; the screen was:\n{self.text}"
                break
            assert time.monotonic() < until, f"The screen stays without it:\n{self.text}"
        while select.select([self._master], [], [], SETTLED_S)[0] and self._read(until):
            pass  # the rest of a frame
        return self.text

    def ends(self) -> int:
        """Read until the program ends, and return its exit code."""
        until = time.monotonic() + PATIENCE_S
        while self._read(until):
            assert time.monotonic() < until, f"The program goes on:\n{self.text}"
        return self.process.wait(PATIENCE_S)

    def _read(self, until: float) -> bool:
        """Read once; return False when the program has closed its terminal."""
        if not select.select([self._master], [], [], max(until - time.monotonic(), 0))[0]:
            return True
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return False
        self.raw += data
        self._answer_cursor_requests(data)
        self._stream.feed(data)
        return bool(data)

    def _answer_cursor_requests(self, data: bytes) -> None:
        """Answer as a terminal does to a program that asks where the cursor is."""
        if b"\x1b[6n" in data:
            os.write(self._master, b"\x1b[1;1R")


@contextmanager
def start_program(
    *words: str, home: Path, columns: int = COLUMNS, rows: int = ROWS, **environ: str
) -> Iterator[PtyProgram]:
    """Run the program at a pseudo-terminal of this size, with its tokens below `home`; kill it after the block."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    env = {name: value for name, value in server_environment().items() if name != "NO_COLOR"}
    env |= {"TERM": "xterm-256color", "LANG": "C.UTF-8", "XDG_CONFIG_HOME": str(home)} | environ
    with subprocess.Popen(
        ["setsid", "--ctty", *PROGRAM, *words],  # a session of its own, so that Ctrl-C reaches the program
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=env,
        cwd=CHECKOUT,
    ) as process:
        os.close(slave)
        try:
            yield PtyProgram(process, master, columns, rows)
        finally:
            process.kill()
            os.close(master)
