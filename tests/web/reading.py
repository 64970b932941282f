"""Asking the JavaScript for reports."""

from typing import Any

from tests.web.engines import STATIC, Engine


def reports(engine: Engine, exports: list[bytes], **kept: Any) -> list[Any]:
    """What the JavaScript says of each; a text where it refuses to read one."""
    asked = [{**_as_json(data), **kept} for data in exports]
    answers: list[Any] = engine.run(STATIC, {"do": "exports", "module": "verify.js", "asked": asked})
    return answers


def _as_json(data: bytes) -> dict[str, str]:
    """Bytes on their way to JavaScript: as text, or in hex where they are none."""
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"data": data.hex()}


def told(report: Any) -> list[tuple[int | None, str]]:
    """The findings."""
    return [(found["version"], found["says"]) for found in report["findings"]]
