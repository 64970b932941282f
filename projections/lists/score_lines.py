"""The score of a hand as text: one line for each seat, in columns (S40, R-S20)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any


def score_line(
    name: str, line: Mapping[str, Any], words: Sequence[str], marks: Sequence[str] = (), width: int = 0
) -> str:
    """Return `name  total  high low jack game  count` (S40, S41, R-S20).

    A word is left blank if its point wasn't credited. A word appears twice if its point can be won twice. Each of
    `marks` that was won follows at the end. In a game of exact bids the columns are `taken of bid` and `exact` (B12).
    `width` is the width of the names.
    """
    begins = f"{name:<{width or len(name)}}  {line['total']:>3}  "
    if line.get("exact") is not None:
        return f"{begins}{line['tricks']:>2} of {line['bid']:>2}  {'exact' if line['exact'] else ''}".rstrip()
    won = Counter(peg["point"] for peg in line["pegs"] if peg["credited"])
    columns = " ".join(_columns(words, won))
    count = "" if line["count"] is None else f"{line['count']:>3}"
    trailing = "".join(f"  {_in_words(mark)}" for mark in marks if mark in won)
    return f"{begins}{columns}  {count}{trailing}".rstrip()


def _columns(words: Sequence[str], won: Mapping[str, int]) -> list[str]:
    seen = Counter[str]()
    columns = []
    for word in words:
        seen[word] += 1
        columns.append(_in_words(word) if seen[word] <= won.get(word, 0) else " " * len(word))
    return columns


def _in_words(point: str) -> str:
    """Return a point's name without its underscore, as `off jack`."""
    return point.replace("_", " ")
