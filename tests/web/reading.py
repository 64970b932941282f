"""Get reports from the JavaScript."""

from typing import Any

from tests.web.engines import STATIC, Engine


def reports(engine: Engine, exports: list[bytes], **kept: Any) -> list[Any]:
    """Return the report on each export; a text if the JavaScript refuses it."""
    asked = [{**_as_json(data), **kept} for data in exports]
    answers: list[Any] = engine.run(STATIC, {"do": "exports", "module": "verify.js", "asked": asked})
    return answers


def _as_json(data: bytes) -> dict[str, str]:
    """Return bytes for JavaScript: as text, or in hex if they aren't UTF-8."""
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"data": data.hex()}


def told(report: Any) -> list[tuple[int | None, str]]:
    """Return the (version, sentence) pairs of the findings."""
    return [(found["version"], found["says"]) for found in report["findings"]]
