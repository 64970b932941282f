"""The picture of metrics in docs/operations.md: four series that `python -m bench.server.metrics` recorded."""

import json
from pathlib import Path

from tests.generators.line_charts import Chart, Line, grid_of_charts

RECORD = Path(__file__).parents[2] / "bench" / "server" / "metrics.json"
SERIES = (
    ("moves", "Moves a second", "#2a78c2"),
    ("ms", "Time of a move, 95 of 100 (ms)", "#b3541e"),
    ("commit_ms", "Time of a transaction (ms)", "#3d8b40"),
    ("lag", "Events the lobby is behind", "#7b52ab"),
)
"""Each series of the record, with the title and the color of its chart."""


def metrics_picture() -> str:
    """Return the SVG."""
    points: list[dict[str, float]] = json.loads(RECORD.read_text(encoding="ascii"))
    last = max(point["at"] for point in points)
    charts = [
        Chart(title, last, "s", [Line(color, [(point["at"], point[series]) for point in points])])
        for series, title, color in SERIES
    ]
    return grid_of_charts(charts)
