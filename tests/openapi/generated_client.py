"""A client that openapi-python-client makes from the description in OpenAPI 3.1, as authors of clients do."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

PACKAGE = "generated_trickbook"
SETTINGS = {"post_hooks": [], "content_type_overrides": {"application/x-ndjson": "text/plain"}}


def generate(folder: Path, description: Mapping[str, Any]) -> str:
    """Make a client in a folder, and return what the generator said. Raise an error if it refuses the description."""
    (folder / "openapi.json").write_text(json.dumps(description), encoding="utf-8")
    (folder / "settings.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    command = [
        sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json", "--meta", "none",
        "--output-path", PACKAGE, "--config", "settings.json", "--fail-on-warning",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def importable(folder: Path) -> Iterator["GeneratedClient"]:
    """Let this process import the client in a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield GeneratedClient()


class GeneratedClient:
    """The client. Its functions and classes are found by name, since they don't exist before the test."""

    def __init__(self) -> None:
        self.package, self.models = _module(""), _module("models")

    def call(self, operation: str, *arguments: Any, **more: Any) -> Any:
        """Send the request of an operation, such as `games.games_move`, and return the response as read."""
        return _module(f"api.{operation}").sync(*arguments, **more)

    def connect(self, url: str, token: str | None = None) -> Any:
        """Return a connection to a server."""
        patient = {"base_url": url, "timeout": 60.0}
        if token is None:
            return self.package.Client(**patient)
        return self.package.AuthenticatedClient(token=token, **patient)


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{PACKAGE}.{name}" if name else PACKAGE)
