"""The verdicts of the verifiers in Python, JavaScript and Go on the same exports."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from domain.protocols.signed_notes import Key
from replay.audit import CANNOT_TELL, GREEN, WRONG, audit
from replay.history import NotAnExport, read_export
from replay.history.receipts import check_receipts
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


def verdicts(
    exports: Mapping[str, bytes], engine: Engine, verifier: Verifier, keys: Sequence[Key] = ()
) -> dict[str, Verdicts]:
    """Return the verdicts on each export, with trusted keys; withheld events of a game that goes on are no fault."""
    read = reports(engine, list(exports.values()), keys=[key.text for key in keys])
    in_javascript = [None if isinstance(each, str) else each["ok"] for each in read]
    in_go = verifier.verify_each(exports, *(key.text for key in keys))
    return {
        name: Verdicts(in_python(data, keys), OF_JAVASCRIPT[ok], in_go[name].code)
        for (name, data), ok in zip(exports.items(), in_javascript, strict=True)
    }


def in_python(data: bytes, keys: Sequence[Key] = ()) -> int:
    """Return the exit code of the audit, which leaves the lack of a receipt to `trickbook game verify`."""
    try:
        history = read_export(data)
    except NotAnExport:
        return CANNOT_TELL
    receipts = check_receipts(history, keys=keys)
    return audit(history, rejudge(history), receipts=receipts).code(live_is_fine=True)


def unlike(found: Mapping[str, Verdicts], expected: Verdicts) -> dict[str, Verdicts]:
    """Return the exports about which a verifier says something else."""
    return {name: each for name, each in found.items() if each != expected}
