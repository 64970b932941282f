"""The table of a soak, from its samples."""

from collections.abc import Iterator, Sequence

from tests.campaigns.soak.analysis import BLOCKS, Finding, findings_of, warm_up_h
from tests.campaigns.soak.samples import Record
from tests.campaigns.soak.slopes import Slope

HEAD = (
    "process",
    "quantity",
    "first",
    "last",
    "growth an hour, 95 %",
    "in the later half",
    "bound",
    "by the data",
    "verdict",
)


def table_of(records: Sequence[Record]) -> Iterator[str]:
    """Yield the lines of the report."""
    rows = [HEAD, *(_row(each) for each in findings_of(records))]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEAD))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    left_out, hours = warm_up_h(records), records[-1]["at"] / 3600
    yield f"{60 * hours:.0f} minutes; the first {60 * left_out:.0f} of each process are left out; {BLOCKS} block means"
    games = [each["games"] for each in records if "games" in each]
    yield f"{games[0] if games else 0} games at the first sample, {games[-1] if games else 0} at the last one"
    yield "a leak grows by more than the bound, in the later half too, and by more than the data explain"


def leaks_of(records: Sequence[Record]) -> list[str]:
    """Return what leaks."""
    return [f"{each.kind}: {each.quantity.name}" for each in findings_of(records) if each.verdict == "leak"]


def _row(found: Finding) -> tuple[str, ...]:
    quantity = found.quantity
    name = quantity.name.removesuffix(f"_{quantity.unit.lower()}") + (f" ({quantity.unit})" if quantity.unit else "")
    ends = (f"{found.first:.1f}", f"{found.last:.1f}")
    return (
        found.kind,
        name,
        *ends,
        _interval(found.slope),
        _interval(found.later),
        f"{quantity.bound:g}",
        _interval(found.with_data),
        found.verdict,
    )


def _interval(slope: Slope | None) -> str:
    return "" if slope is None else f"{slope.per_hour:+.1f} ({slope.low:+.1f} to {slope.high:+.1f})"
