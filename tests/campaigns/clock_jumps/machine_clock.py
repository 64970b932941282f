"""The clock of a machine, which a campaign sets for the programs that run with its variables."""

import mmap
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.campaigns.power_cuts.campaign import compiler

SOURCE = Path(__file__).with_name("shifted_clock.c")
AHEAD = struct.Struct("=q")


class MachineClock:
    """The time of day that some processes see, in Python, SQLite, OpenSSL and PostgreSQL alike. It's right at first."""

    def __init__(self, folder: Path, name: str) -> None:
        """Write the files into a folder that every user may read, as PostgreSQL runs as another one."""
        library, self._file = folder / "shifted_clock.so", folder / f"{name}.ahead"
        if not library.exists():
            command = [compiler() or "cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
            subprocess.run(command, check=True)
        folder.chmod(0o755)
        self._file.write_bytes(AHEAD.pack(0))
        self.environ: Mapping[str, str] = {"LD_PRELOAD": str(library), "CLOCK_AHEAD": str(self._file)}
        """The variables of the processes that run on this machine."""

    def set(self, ahead_s: int) -> None:
        """Let the clock jump: it's that many seconds ahead of the right time from now on."""
        with self._file.open("r+b") as file, mmap.mmap(file.fileno(), AHEAD.size) as mapped:
            mapped[:] = AHEAD.pack(ahead_s)
