"""`python -m tests.stored FOLDER` writes the files of the current format. Never change existing files."""

import sys
from pathlib import Path

from tests.stored.writing import write

if len(sys.argv) != 2:
    sys.exit("usage: python -m tests.stored FOLDER (a new one: tests/stored/v3 if the format has changed)")
write(Path(sys.argv[1]))
