"""The full screen as it would be drawn on a terminal, without one: prompt_toolkit writes to pyte's screen."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from io import StringIO

import pyte
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from api.cli.terminal.fullscreen import FullScreen


def draw(
    prepare: Callable[[FullScreen], object], columns: int, rows: int, now: datetime, *, has_color: bool = True
) -> tuple[pyte.Screen, str]:
    """Return the screen after `prepare`, and everything that was written to the terminal."""
    text = StringIO()
    output = Vt100_Output(
        text, lambda: Size(rows=rows, columns=columns), term="xterm", default_color_depth=ColorDepth.DEPTH_4_BIT
    )
    with create_pipe_input() as keys:
        terminal = FullScreen(has_color=has_color, keys=keys, output=output, now=lambda: now)
        with ThreadPoolExecutor(1) as pool:  # a browser's tests may run a loop in this thread
            pool.submit(asyncio.run, _render(terminal, prepare)).result()
    screen = pyte.Screen(columns, rows)
    pyte.Stream(screen).feed(text.getvalue())
    return screen, text.getvalue()


async def _render(terminal: FullScreen, prepare: Callable[[FullScreen], object]) -> None:
    with set_app(terminal.application):
        prepare(terminal)
        terminal.application.renderer.render(terminal.application, terminal.application.layout)


def shown_text(screen: pyte.Screen) -> str:
    """Return what a screen shows."""
    return "\n".join(line.rstrip() for line in screen.display)
