"""Writes the examples of the description from real responses: `make examples`."""

import json
import logging
import tempfile
from pathlib import Path

from api.description.document import FILE
from tests.openapi.walk.examples import examples_from
from tests.openapi.walk.record import record


def main() -> None:
    """Write the file."""
    logging.disable()
    with tempfile.TemporaryDirectory() as data:
        examples = examples_from(record(Path(data)))
    FILE.write_text(json.dumps(examples, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
