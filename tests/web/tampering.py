"""Findings of the verifier in JavaScript on tampering with an export (campaigns/tamper/kinds.py and web/forgeries.py).

`python -m tests.web.tampering` writes the list again. Read the difference before you commit it.
"""

from pathlib import Path
from typing import Any

from tests.campaigns.tamper.kinds import KINDS
from tests.campaigns.tamper.ledgers import ledger
from tests.lists import write_list
from tests.web.engines import Engine, node, nodes
from tests.web.forgeries import FORGERIES, forged
from tests.web.reading import reports, told

TAMPERING = Path(__file__).parent / "lists" / "tampering.txt"


def findings(engine: Engine) -> dict[str, list[str]]:
    """Return by kind what is said of the event that was changed, or what comes first if that is another event."""
    versions, exports = dict[str, int | None](), dict[str, bytes]()
    for kind in KINDS:
        if "export" in kind.where:
            written = ledger(kind.game)
            versions[kind.name] = kind.change(written)
            exports[kind.name] = written.export()
    for name, forgery in FORGERIES.items():
        exports[f"forged: {name}"], versions[f"forged: {name}"] = forged(forgery)
    found = zip(versions.items(), reports(engine, list(exports.values())), strict=True)
    return {name: _own(report, version) for (name, version), report in found}


def _own(report: Any, version: int | None) -> list[str]:
    said: list[tuple[int | None, str]] = [(None, report)] if isinstance(report, str) else told(report)
    own = [(at, says) for at, says in said if at == version] or said[:1]
    return [f"{at}: {says}" for at, says in own] or ["nothing"]


if __name__ == "__main__":
    with nodes(str(node())) as started:
        write_list(TAMPERING, findings(started))
