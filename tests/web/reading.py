"""Asking the JavaScript for reports."""

from typing import Any

from tests.web.engines import STATIC, Engine


def reports(engine: Engine, exports: list[bytes], **kept: Any) -> list[Any]:
    """What the JavaScript says of each; a text where it refuses to read one."""
    asked = [{"data": data.hex(), **kept} for data in exports]
    answers: list[Any] = engine.run(STATIC, {"do": "exports", "module": "verify.js", "asked": asked})
    return answers


def told(report: Any) -> list[tuple[int | None, str]]:
    """The findings."""
    return [(found["version"], found["says"]) for found in report["findings"]]
