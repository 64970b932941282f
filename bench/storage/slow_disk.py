"""A disk that takes longer for each flush, for one program and its children, by LD_PRELOAD (slow_disk.c)."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SOURCE = Path(__file__).with_name("slow_disk.c")
CHECK = """
import os, tempfile, time
with tempfile.TemporaryFile() as file:
    began = time.perf_counter()
    for call in (os.fsync, os.fdatasync):
        call(file.fileno())
    print(time.perf_counter() - began)
"""


@contextmanager
def slow_disk(ms: float) -> Iterator[dict[str, str]]:
    """Yield environment variables that make a program's disk `ms` milliseconds slower; none for 0.

    Exits with a message if there is no compiler, or if the variables have no effect.
    """
    if not ms:
        yield {}
        return
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        sys.exit("--disk-ms needs Linux and a C compiler (gcc or cc) in the path. Install one, or leave it out.")
    with tempfile.TemporaryDirectory(prefix="slow-disk-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL may run as another user
        library = Path(folder) / "slow_disk.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True)
        library.chmod(0o755)
        variables = {"LD_PRELOAD": str(library), "SLOW_DISK_MS": str(ms)}
        check = [sys.executable, "-c", CHECK]
        shown = subprocess.run(check, env=os.environ | variables, capture_output=True, text=True, check=True).stdout
        if float(shown) < 2 * ms / 1000:
            sys.exit("LD_PRELOAD has no effect on this Python, so --disk-ms can't delay its disk.")
        yield variables


@contextmanager
def environment(variables: dict[str, str]) -> Iterator[None]:
    """Set variables of this process for what it starts meanwhile."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
