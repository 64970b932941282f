"""What the verifiers in Python, JavaScript and Go say about the same exports."""

from collections.abc import Mapping
from typing import NamedTuple

from replay.audit import CANNOT_TELL, GREEN, WRONG, audit
from replay.history import NotAnExport, read_export
from replay.rejudge import rejudge
from tests.verifiers.go import Verifier
from tests.web.engines import Engine
from tests.web.reading import reports

OF_JAVASCRIPT = {True: GREEN, False: WRONG, None: CANNOT_TELL}


class Verdicts(NamedTuple):
    """The exit code of each verifier; that of JavaScript is what `ok` means."""

    python: int
    javascript: int
    go: int


RIGHT = Verdicts(GREEN, CANNOT_TELL, CANNOT_TELL)
"""The audit finds nothing, and the other two lack a receipt alone."""
FOUND = Verdicts(WRONG, WRONG, WRONG)


def verdicts(exports: Mapping[str, bytes], engine: Engine, verifier: Verifier) -> dict[str, Verdicts]:
    """Return the verdicts on each export; withheld events of a game that goes on are no fault."""
    in_javascript = reports(engine, list(exports.values()))
    in_go = verifier.verify_each(exports)
    return {
        name: Verdicts(in_python(data), OF_JAVASCRIPT[None if isinstance(read, str) else read["ok"]], in_go[name].code)
        for (name, data), read in zip(exports.items(), in_javascript, strict=True)
    }


def in_python(data: bytes) -> int:
    """Return the exit code of the audit, which leaves the lack of a receipt to `trickbook game verify`."""
    try:
        history = read_export(data)
    except NotAnExport:
        return CANNOT_TELL
    return audit(history, rejudge(history)).code(live_is_fine=True)


def unlike(found: Mapping[str, Verdicts], expected: Verdicts) -> dict[str, Verdicts]:
    """Return the exports about which a verifier says something else."""
    return {name: each for name, each in found.items() if each != expected}
