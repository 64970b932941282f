"""The picture of metrics in docs/operations.md: four series that `python -m bench.server.metrics` recorded."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

RECORD = Path(__file__).parents[1] / "bench" / "server" / "metrics.json"
WIDTH, HEIGHT = 340, 150
LEFT, TOP, RIGHT, BOTTOM = 44, 30, 12, 24
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


@dataclass(frozen=True)
class Panel:
    """A series of the record, with the title and the color of its chart."""

    series: str
    title: str
    color: str


PANELS = (
    Panel("moves", "Moves a second", "#2a78c2"),
    Panel("ms", "Time of a move, 95 of 100 (ms)", "#b3541e"),
    Panel("commit_ms", "Time of a transaction (ms)", "#3d8b40"),
    Panel("lag", "Events the lobby is behind", "#7b52ab"),
)


def metrics_picture() -> str:
    """Return the SVG."""
    points: list[dict[str, float]] = json.loads(RECORD.read_text(encoding="ascii"))
    times = [point["at"] for point in points]
    drawn = [
        _panel(panel, times, [point[panel.series] for point in points], WIDTH * (place % 2), HEIGHT * (place // 2))
        for place, panel in enumerate(PANELS)
    ]
    size = f'viewBox="0 0 {2 * WIDTH} {2 * HEIGHT}" width="{2 * WIDTH}" height="{2 * HEIGHT}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="11">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="#ffffff"/>', *drawn, "</svg>", ""])


def _panel(panel: Panel, times: Sequence[float], values: Sequence[float], left: int, top: int) -> str:
    last, most = max(times), _nice(max(values))
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    xs = [left + LEFT + wide * time / last for time in times]
    ys = [top + TOP + high * (1 - value / most) for value in values]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    base, edge = top + TOP + high, left + LEFT
    grid = [
        f'<line x1="{edge}" x2="{edge + wide}" y1="{y}" y2="{y}" stroke="#d8d8d8"/>'
        f'<text x="{edge - 6}" y="{y + 4}" text-anchor="end" fill="#555555">{label:g}</text>'
        for y, label in ((top + TOP, most), (top + TOP + high / 2, most / 2), (base, 0))
    ]
    return "\n".join(
        [
            f'<text x="{edge}" y="{top + 18}" font-weight="bold" fill="#222222">{panel.title}</text>',
            *grid,
            f'<text x="{edge}" y="{base + 16}" fill="#555555">0 s</text>',
            f'<text x="{edge + wide}" y="{base + 16}" text-anchor="end" fill="#555555">{last:.0f} s</text>',
            f'<polyline points="{line}" fill="none" stroke="{panel.color}" stroke-width="1.8"/>',
        ]
    )


def _nice(value: float) -> float:
    """Return the next round number."""
    return next((step for step in STEPS if step >= value), value)
