"""Line charts as SVG, in a grid of two columns."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 340, 150
LEFT, TOP, RIGHT, BOTTOM = 44, 30, 12, 24
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


@dataclass(frozen=True)
class Line:
    """A line of a chart: its color, and its points from left to right."""

    color: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Chart:
    """A chart from 0 to `last` on the horizontal axis: its title, its lines, and short words in the lines' colors."""

    title: str
    last: float
    unit: str
    lines: Sequence[Line]
    legend: Sequence[tuple[str, str]] = ()
    """Pairs of a word and a color."""
    marks: Sequence[float] = ()
    """Where thin vertical lines stand."""


def grid_of_charts(charts: Sequence[Chart]) -> str:
    """Return the SVG."""
    drawn = [_panel(chart, WIDTH * (place % 2), HEIGHT * (place // 2)) for place, chart in enumerate(charts)]
    height = HEIGHT * -(-len(charts) // 2)
    size = f'viewBox="0 0 {2 * WIDTH} {height}" width="{2 * WIDTH}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="11">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="#ffffff"/>', *drawn, "</svg>", ""])


def _panel(chart: Chart, left: int, top: int) -> str:
    most = _nice(max((value for line in chart.lines for _, value in line.points), default=1.0))
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    base, edge, end = top + TOP + high, left + LEFT, f"{chart.last:.0f} {chart.unit}"
    grid = [
        f'<line x1="{edge}" x2="{edge + wide}" y1="{y}" y2="{y}" stroke="#d8d8d8"/>'
        f'<text x="{edge - 6}" y="{y + 4}" text-anchor="end" fill="#555555">{label:g}</text>'
        for y, label in ((top + TOP, most), (top + TOP + high / 2, most / 2), (base, 0))
    ]
    at = [edge + wide * mark / chart.last for mark in chart.marks]
    marks = [f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top + TOP}" y2="{base}" stroke="#e8b0b0"/>' for x in at]
    legend = "".join(f'<tspan dx="8" fill="{color}">{word}</tspan>' for word, color in chart.legend)
    words = f'<text x="{edge + wide}" y="{top + 18}" text-anchor="end">{legend}</text>'
    return "\n".join(
        [
            f'<text x="{edge}" y="{top + 18}" font-weight="bold" fill="#222222">{chart.title}</text>',
            *([words] if legend else []),
            *grid,
            f'<text x="{edge}" y="{base + 16}" fill="#555555">0 {chart.unit}</text>',
            f'<text x="{edge + wide}" y="{base + 16}" text-anchor="end" fill="#555555">{end}</text>',
            *marks,
            *(_line(line, chart.last, most, edge, top + TOP) for line in chart.lines),
        ]
    )


def _line(line: Line, last: float, most: float, edge: int, top: int) -> str:
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    points = [(edge + wide * at / last, top + high * (1 - value / most)) for at, value in line.points]
    text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{text}" fill="none" stroke="{line.color}" stroke-width="1.8"/>'


def _nice(value: float) -> float:
    """Return the next round number."""
    return next((step for step in STEPS if step >= value), value) or 1
