"""The words that a page has to read out, written down from the events without the page's own words."""

from itertools import pairwise
from typing import Any

from playwright.sync_api import Page

LISTEN = """() => {
  const region = document.querySelector("[data-say]");
  globalThis.spoken = [];
  const heard = new MutationObserver(() => globalThis.spoken.push(region.textContent));
  heard.observe(region, { childList: true, characterData: true, subtree: true });
}"""
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
COURT = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RANKS = COURT | {str(rank): name for rank, name in enumerate(NUMBERS, 2)}


def words(card: str) -> str:
    return f"joker {card[1]}" if card[0] == "X" else f"{RANKS[card[:-1]]} of {SUITS[card[-1]]}"


def lines(events: list[dict[str, Any]], names: list[str], own: int | None = None) -> list[str]:
    """Return what has to be read out of the events of hand 1, in order, to the player in the seat `own`."""
    trick, told = 1, list[str]()
    for event in events:
        data = event["data"]
        seat = data.get("seat")
        is_own = seat is not None and seat == own
        name = "you" if is_own else names[seat] if isinstance(seat, int) else ""
        end = "" if is_own else "s"
        match event["fact"]:
            case "BidMade":
                told.append(f"Hand 1: {name} bid{end} {data['bid']}.")
            case "BidPassed":
                told.append(f"Hand 1: {name} pass{end and 'es'}.")
            case "TrumpNamed":
                told.append(f"Hand 1: {name} name{end} {SUITS[data['suit']]} as trump.")
            case "CardsDiscarded":
                told.append(f"Hand 1: {name} throw{end} {data['count']} card")
            case "CardPlayed":
                told.append(f"Trick {trick}: {name.capitalize() if is_own else name}, {words(data['card'])}.")
            case "TrickTaken":
                told.append(f"Trick {trick} goes to {name}.")
                trick += 1
            case "HandScored":
                return [*told, "Hand 1 is scored: "]
    return told


def check_spoken(page: Page, expected: list[str]) -> None:
    """Check that the page has read out each of these lines once, in order, and no text twice in a row."""
    page.wait_for_function("() => !globalThis.table.game.sayTimer")
    spoken: list[str] = page.evaluate("() => globalThis.spoken")
    text, place = "\n".join(spoken), 0
    for line in expected:
        place = text.find(line, place)
        assert place >= 0, f"{line!r} isn't read out in its place: {text}"
        assert text.count(line) == 1, f"{line!r} is read out twice"
    assert all(one != other for one, other in pairwise(spoken))
    assert any(each.endswith(("Your bid.", "Your turn: play a card.")) for each in spoken), spoken
