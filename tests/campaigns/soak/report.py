"""The table and the pictures of a soak, from its samples."""

from collections.abc import Iterator, Sequence

from tests.campaigns.soak.analysis import BLOCKS, Finding, findings_of, process_series, store_series, warm_up_h
from tests.campaigns.soak.campaign import SPARED, VICTIM
from tests.campaigns.soak.samples import Record
from tests.campaigns.soak.slopes import Slope
from tests.generators.line_charts import Chart, Line, grid_of_charts

COLORS = {"requests": "#2a78c2", "worker": "#b3541e", "heavy": "#3d8b40", "supervisor": "#7b52ab",
          "mail listener": "#888888"}  # fmt: skip
BLUE, RED = "#2a78c2", "#b3541e"
STORE_CHARTS = (
    ("Write-ahead log (MB)", (("wal_mb", "", BLUE),)),
    ("Data (MB)", (("data_mb", "", BLUE),)),
    ("Events the slowest list is behind", (("lag", "", BLUE),)),
    ("Time of a move (ms)", (("p50_ms", "p50", BLUE), ("p99_ms", "p99", RED))),
    ("Moves in 10 s", (("moves", "", BLUE),)),
    ("Requests in 10 s", (("requests", "", BLUE),)),
)
"""The charts of the store and of the load: the title, and the field, word and color of each line."""
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


def picture_of(records: Sequence[Record]) -> str:
    """Return the SVG of all charts; thin lines show when a node was killed."""
    last = records[-1]["at"] / 60
    kills = [each["at"] / 60 for each in records if each["of"] == "kill"]
    charts = []
    for node, title in ((SPARED, "Own memory, node 1 (MB)"), (VICTIM, "Own memory, node 2, killed (MB)")):
        charts.append(_process_chart(records, title, "own_mb", node, last, kills))
    charts += [
        _process_chart(records, title, name, SPARED, last, kills)
        for title, name in (("Descriptors, node 1", "descriptors"), ("Threads, node 1", "threads"))
    ]
    for title, fields in STORE_CHARTS:
        lines = [Line(color, _minutes(store_series(records, name))) for name, _, color in fields]
        legend = [(word, color) for _, word, color in fields if word]
        charts.append(Chart(title, last, "min", [line for line in lines if line.points], legend, kills))
    return grid_of_charts(charts)


def _process_chart(
    records: Sequence[Record], title: str, name: str, node: int, last: float, kills: Sequence[float]
) -> Chart:
    kept = [
        each for each in records if each["of"] != "process" or each["node"] in (node, None if node == SPARED else node)
    ]
    lines, legend = [], []
    for kind, color in COLORS.items():
        series = [points for points in process_series(kept, kind, name).values() if points]
        lines += [Line(color, _minutes(points)) for points in series]
        legend += [(kind.removeprefix("mail "), color)] if series else []
    return Chart(title, last, "min", lines, legend, kills)


def _minutes(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(60 * at, value) for at, value in points]
