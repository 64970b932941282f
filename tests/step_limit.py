"""A limit for games that tests play: a game that doesn't go on fails with a sentence instead of filling the memory."""

from collections.abc import Iterator

MOST_STEPS = 20_000
"""More commits than any game of the tests needs."""


class TooManySteps(AssertionError):
    """A game went on for longer than any game of the tests should."""


def check_steps(taken: int, most: int = MOST_STEPS) -> None:
    """Raise TooManySteps if a game has already taken `most` steps."""
    if taken >= most:
        raise TooManySteps(f"The game isn't over after {most} steps. Look for a move that changes nothing.")


def steps(most: int = MOST_STEPS) -> Iterator[int]:
    """Yield 0, 1, 2 ...; raise TooManySteps instead of yielding `most`. Take one in each turn of a loop."""
    yield from range(most)
    check_steps(most, most)
