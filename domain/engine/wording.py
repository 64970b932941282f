"""Help with sentences for players."""

from collections.abc import Iterable


def one_of(words: Iterable[object]) -> str:
    """Return the words as alternatives: "2", "2 or 3", "2, 3, or 4"."""
    texts = [str(word) for word in words]
    if len(texts) < 3:
        return " or ".join(texts)
    return f"{', '.join(texts[:-1])}, or {texts[-1]}"


def count_of(number: int, thing: str) -> str:
    """Return a number of things in words: `1 game`, `2 games`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
