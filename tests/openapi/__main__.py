"""Writes the description of the interface to build/openapi.json and build/openapi-3.1.json: `make openapi`.

The types of its answers for the pages' scripts go to build/answers.d.ts.
"""

import json
import tempfile
from contextlib import closing
from pathlib import Path

from api.app import create_app
from api.config import Config
from api.description.document import FOR_GENERATORS, NEWEST, openapi_document
from tests.api.conftest import services_of
from tests.generators.answer_types import answer_types

BUILD = Path(__file__).parents[2] / "build"
FILES = {"openapi.json": NEWEST, "openapi-3.1.json": FOR_GENERATORS}


def main() -> None:
    """Write the documents and the types."""
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        app = create_app(Config(data=Path(data), hashing="cheapest"))
        with closing(services_of(app)):
            for name, version in FILES.items():
                text = json.dumps(openapi_document(app, version), indent=1, ensure_ascii=False)
                (BUILD / name).write_text(text + "\n", encoding="utf-8")
            (BUILD / "answers.d.ts").write_text(answer_types(openapi_document(app, FOR_GENERATORS)), encoding="utf-8")


if __name__ == "__main__":
    main()
