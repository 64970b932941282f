"""A dispute as a text to print: the case, what the log shows, the ruling, the appeal, and the hashes of the log."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from domain.events import RulingGiven, TrickTaken
from replay.history import History, NoSuchHand, trailer_of
from replay.queries.answer import title_of
from replay.queries.draws import draws
from replay.queries.reading import transitions
from replay.queries.revokes import revokes
from replay.queries.score import CheckedHand, score, side_points
from replay.text.layout import in_words, names_by_seat, sanitize, say_names
from replay.text.narrate import narrate

CASE_PASSES = 14
"""How often a case goes through all events of a game at most (`api.web.route.Route.passes`)."""
PARTS = ("opened", "withdrawal", "ruling", "appeal", "decision")
ABOUT_CARDS, ABOUT_DRAWS, ABOUT_POINTS = ("revoke", "turn", "other"), ("deal", "rules", "other"), ("score", "other")
"""The kinds of disputes for which cards that didn't follow, draws, and points are evidence."""
Names = Mapping[int, str]


def case_lines(
    history: History, shown: Mapping[str, Any], names: Mapping[str, str], checks: Mapping[str, bool]
) -> list[str]:
    """Return the lines about a dispute, as its reader may see it.

    `shown` is the dispute as JSON with its texts, `names` the names of players and arbiters by id, and `checks` says
    what was checked beside the log, and whether it's right.
    """
    who, opened = names_by_seat(history), shown["opened"]
    lines = [f"dispute {shown['dispute']} on hand {opened['hand']}, {opened['kind']}: {shown['status']}"]
    lines.append(f"{title_of(history)}, game {history.header.game}")
    events = {event.version: event for event in history.events}
    for part in PARTS:
        if shown[part] is not None:
            lines += ["", *_part_lines(part, shown[part], events[shown[part]["version"]].data, who, names)]
        if part == "opened":
            for answer in shown.get("answers", ()):
                lines += [f"answer: {answer['at']}, by {who[answer['seat']]}", *_text_lines(answer)]
            lines += ["", *evidence_lines(history, opened["hand"], opened["kind"])]
    lines += ["", *_score_lines(history), "", *_log_lines(history, shown)]
    lines += [f"{what}: {'ok' if right else 'WRONG'}" for what, right in checks.items()]
    return [sanitize(line) for line in lines]


def _part_lines(part: str, shown: Mapping[str, Any], fact: Any, who: Names, names: Mapping[str, str]) -> Iterator[str]:
    yield f"{part}: event {shown['version']}, {shown['at']}, by {names.get(shown['by'], shown['by'])}"
    yield f"  {narrate(fact, who)}"
    if isinstance(fact, RulingGiven):
        yield f"  based on a log of {fact.evidence.size} events, root {fact.evidence.root}"
        if fact.appeal_until is not None:
            yield f"  it can be appealed until {fact.appeal_until}"
    yield from _text_lines(shown)
    yield from _detail_lines(shown.get("details", {}), who)


def _text_lines(part: Mapping[str, Any]) -> Iterator[str]:
    """Yield the text of a part, or why it isn't shown; nothing if it has none."""
    if "text" not in part:
        yield "  text: only for the players of this game and for arbiters"
    elif part["erased"]:
        yield "  text: erased"
    elif part["withheld"]:
        yield "  text: withheld until the hand is over"
    elif part["text"] is not None:
        yield f"  text: {part['text']}"


def _detail_lines(details: Mapping[str, Any], who: Names) -> Iterator[str]:
    """Yield the accused and the events that the dispute names."""
    accused = details.get("accused")
    if accused is not None:
        trick = f", trick {accused['trick']}" if "trick" in accused else ""
        card = f", card {accused['card']}" if "card" in accused else ""
        yield f"  accused: {who.get(accused['seat'], accused['seat'])}{trick}{card}"
    for question in ("revokes", "draws"):
        if details.get(question):
            yield f"  evidence from {question}: events {', '.join(map(str, details[question]))}"


def evidence_lines(history: History, hand: int, kind: str) -> list[str]:
    """Return what the log shows of a disputed hand: its tricks, and what a dispute of this kind is about."""
    who = names_by_seat(history)
    lines = [f"evidence: the log of hand {hand}", *(f"  {each}" for each in _tricks(history, hand, who))]
    found = list[str]()
    try:
        if kind in ABOUT_CARDS:
            found += _off_suit(history, hand, who)
        if kind in ABOUT_DRAWS:
            drawn = draws(history)
            found += [*drawn.notes, *map(str, drawn.findings)]
        if kind in ABOUT_POINTS:
            found += points_lines(history, hand)
    except NoSuchHand as error:
        found.append(str(error))
    return lines + [f"  {say_names(each, who)}" for each in found]


def _tricks(history: History, hand: int, who: Names) -> Iterator[str]:
    """Yield the tricks of a hand, of each deal if it was dealt again."""
    for before, event, _ in transitions(history):
        if isinstance(event.data, TrickTaken) and before.live.dealt.hand == hand:
            plays = ", ".join(f"{who[play.seat]} {play.card}" for play in before.live.table)
            yield f"event {event.version}, trick {len(before.live.takers) + 1}: {plays}, to {who[event.data.seat]}"


def _off_suit(history: History, hand: int, who: Names) -> Iterator[str]:
    answer = revokes(history, hand)
    for each in answer.body["cards"]:
        follows = f"could have followed with {_cards(each['following'])}" if each["could_follow"] else "couldn't follow"
        allowed = "" if each["allowed"] else ", a revoke"
        yield f"event {each['version']}, trick {each['trick']}: {who[each['seat']]} {each['card']}, {follows}{allowed}"
    if not answer.body["cards"] and not answer.waits:
        yield "every card followed"
    yield from answer.waits


def points_lines(history: History, hand: int) -> list[str]:
    """Return the cards that each side took in a hand, and the points counted from them; why not if it isn't scored."""
    who = names_by_seat(history)
    scored = score(history, hand).body["hands"]
    return [line for each in scored for line in _points(each, who)] or ["the hand isn't scored"]


def _points(hand: CheckedHand, who: Names) -> Iterator[str]:
    for side in hand["sides"]:
        taken = [card for seat in side for card in hand["taken"][seat]]
        recorded, due = (
            side_points(hand[reading]["pegs"], side).replace(",", ", ") for reading in ("recorded", "recomputed")
        )
        changes = ", ".join(f"{hand['recorded']['changes'][seat]:+}" for seat in side)
        more = "" if recorded == due else f", but {due} by the cards"
        counts = hand["recorded"]["counts"]
        more += f"; {sum(counts[seat] for seat in side)} for game" if counts else ""
        verb = "takes" if len(side) == 1 else "take"
        yield f"{in_words([who[seat] for seat in side])} {verb} {_cards(taken)}: {recorded}{more} ({changes})"


def _cards(cards: Sequence[str]) -> str:
    return " ".join(cards) or "no card"


def _score_lines(history: History) -> Iterator[str]:
    """Yield the scores as played and as ruled, and faults in them."""
    answer = score(history)
    who = names_by_seat(history)
    yield from (each for each in answer.notes if each.startswith(("as played", "as ruled")))
    yield from (say_names(str(each), who) for each in answer.findings)


def _log_lines(history: History, shown: Mapping[str, Any]) -> Iterator[str]:
    """Yield the size and root of the log, and the leaf of each fact of the dispute."""
    log = trailer_of(line.leaf for line in history.lines)
    yield f"log: {log.size} events, root {log.root}"
    for part in PARTS:
        if shown[part] is not None:
            version = shown[part]["version"]
            yield f"  event {version}, {part}: leaf {history.lines[version - 1].leaf.hex()}"
