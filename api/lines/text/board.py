"""A board as text: who is awaited, the seats, the trick, the own cards and what they can do."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from api.lines.text.layout import columns, in_words, minute_of
from api.lines.text.moves import legal_text
from domain.cards import SUIT_NAMES
from domain.rules.variants import VARIANTS
from projections.views.uncounted_games import unrated_line
from replay.text.narrate import describe_setting

View = Mapping[str, Any]
Names = Mapping[int, str]


def board_text(view: View, names: Mapping[str, str], scored: Sequence[str] = ()) -> str:
    """Return a view as text. `scored` are the score lines of the last hand (S40)."""
    who = {each["seat"]: names.get(each["player"], each["player"]) for each in view["seats"]}
    return "\n".join(
        [
            waiting_line(view, who),
            _head(view),
            *unrated_lines(view),
            *_thrown_in(view),
            "",
            *_seats(view, who),
            "",
            *table_lines(view, who),
            *_own(view, who),
            *_clocks(view, who),
            *question_lines(view, who),
            *_scores(view, scored),
        ]
    )


def waiting_line(view: View, who: Names) -> str:
    """Return the line on top: for whom the board waits, and until when."""
    if view["result"] is not None:
        won = in_words([who[seat] for seat in view["result"]["winners"]]) or "nobody"
        return f"Over ({view['result']['reason']}): {won} won"
    waiting = in_words([who[seat] for seat in view["turn"]["seats"]]) or "the server"
    deadline = view["turn"]["deadline"]
    return f"Waiting for: {waiting}" + ("" if deadline is None else f", until {minute_of(deadline)} UTC")


def _head(view: View) -> str:
    hand, rules = view["hand"], view["rules"]
    title = VARIANTS[view["variant"]].title if view["variant"] in VARIANTS else view["variant"]
    parts = [f"Board {view['board']}", title]
    parts += [] if rules.get("goal") is None else [f"to {rules['goal']}"]
    parts += [f"hand {hand['number']}"] if hand else []
    return ", ".join([*parts, view["phase"].replace("_", " "), f"move #{view['version']}"])


def unrated_lines(view: View) -> list[str]:
    """Return a line that says why the game doesn't count for ratings, if it's so."""
    return [unrated_line(view["unrated"])] if "unrated" in view else []


def _thrown_in(view: View) -> list[str]:
    """Return a line about the hand before, if everybody passed in it, until a trick of this one is taken."""
    hand, last = view["hand"], view["last_hand"]
    if hand is None or hand["last_trick"] or hand["number"] - 1 == (0 if last is None else last["hand"]):
        return []
    return [f"Everybody passed in hand {hand['number'] - 1}: it's thrown in, and the cards are dealt again"]


def _seats(view: View, who: Names) -> list[str]:
    hand = view["hand"]
    rows: list[Sequence[object]] = [("seat", "player", "score", "bid", "tricks", "cards", "")]
    for each in view["seats"]:
        seat = each["seat"]
        numbers = each["tricks"], each["count"]
        rows.append((seat, who[seat], each["score"], bid_text(hand, seat), *numbers, seat_notes(view, each)))
    return columns(rows, right=(0, 2, 3, 4, 5))


def bid_text(hand: View | None, seat: int) -> object:
    """Return a seat's bid, "pass", or None if it hasn't bid."""
    if hand is None:
        return None
    return "pass" if seat in hand["passed"] and hand["bids"][seat] is None else hand["bids"][seat]


def seat_notes(view: View, sitting: View) -> str:
    """Return what else is to say of a seat: who deals, who pitched, who has left."""
    hand, seat = view["hand"], sitting["seat"]
    notes = ["dealer"] if hand and hand["dealer"] == seat else []
    notes += ["pitcher"] if hand and hand["pitcher"] == seat else []
    notes += [] if sitting["state"] == "in" else [sitting["state"]]
    return ", ".join(notes)


def table_lines(view: View, who: Names) -> Iterator[str]:
    """Yield the lines about the table: rules that can change, sides, trump, and the tricks."""
    hand = view["hand"]
    if view["rules"].get("points") is not None:
        rules = view["rules"]
        yield "Rules: " + describe_setting(
            rules["points"], dirty=rules["dirty"], reverse=rules["reverse"], partners=rules["partners"]
        )
    if len(view["sides"]) < len(view["seats"]):
        yield "Sides: " + "; ".join(in_words([who[seat] for seat in side]) for side in view["sides"])
    if hand is None:
        return
    if hand["upcard"] is not None:
        yield f"Turned up: {hand['upcard']}"
    if hand["trump"] is not None:
        yield f"Trump: {SUIT_NAMES[hand['trump']]}"
    if hand["called"] is not None:
        yield f"Called: {hand['called']}"
    if hand["last_trick"]:
        last = hand["last_trick"]
        yield f"Last trick: {_plays(last, who) or 'face down'}, to {who[last['seat']]}"
    trick = hand["trick"]
    if trick:
        yield f"Trick {trick['number']}: " + (_plays(trick, who) or f"{who[trick['leader']]} leads")


def _plays(trick: View, who: Names) -> str:
    return ", ".join(f"{who[play['seat']]} {play['card']}" for play in trick["plays"])


def _own(view: View, who: Names) -> Iterator[str]:
    you = view.get("you")
    if you is None:
        return
    for seat, cards in sorted(you["sees"].items()):
        yield f"{who[int(seat)]} holds: {' '.join(cards or ()) or 'nothing'}"
    if you["cards"] is None and view["hand"] is not None:
        yield "You don't see your own card in this hand."
    elif you["cards"]:
        yield f"Your cards: {' '.join(you['cards'])}"
    yield from legal_text(you)


def _clocks(view: View, who: Names) -> Iterator[str]:
    """Yield the time that each player has left, at a table with a clock (R-P15)."""
    clock = view.get("clock")
    if clock is None or view["result"] is not None:
        return
    running = clock["running"]
    left = dict(enumerate(clock["left_ms"])) | ({} if running is None else {running["seat"]: running["left_ms"]})
    times = [f"{who[seat]} {_long(ms)}" for seat, ms in left.items() if ms is not None]
    if times:
        yield f"Time left when the turn began: {', '.join(times)}"


def _long(ms: int) -> str:
    """Return a time in its two largest units: 9 d 12 h, 1 h 5 min, 4 min 30 s."""
    seconds = ms // 1000
    for size, large, small, unit in ((86_400, "d", "h", 3600), (3600, "h", "min", 60), (60, "min", "s", 1)):
        if seconds >= size:
            rest = seconds % size // unit
            return f"{seconds // size} {large}" + (f" {rest} {small}" if rest else "")
    return f"{seconds} s"


def question_lines(view: View, who: Names) -> Iterator[str]:
    """Yield a line for each open question and each dispute. A viewer who may answer reads how."""
    you = view.get("you") or {"seat": None, "may": ()}
    if view["proposal"] is not None:
        asked = in_words(_still_to_answer(view, who))
        yield _proposal(view, who, you) + (f" (waits for {asked})" if asked else "")
    if view["handover"] is not None:
        answers = ": agree or refuse" if "answer_handover" in you["may"] else ""
        yield f"{who[view['handover']['seat']]} asks to hand the seat over{answers}"
    if view["delay"] is not None:
        delay, answers = view["delay"], ": guilty or not guilty" if "vote" in you["may"] else ""
        yield f"{who[delay['seat']]} calls delay of game on {who[delay['accused']]}{answers}"
    for each in view["disputes"]:
        yield f"Dispute {each['dispute']} on hand {each['hand']} ({each['kind']}): {each['status']}"


def _proposal(view: View, who: Names, you: View) -> str:
    """Return the open undo or draw as its asker reads it, a seat that may answer, or anybody else."""
    kind, seat = view["proposal"]["kind"], view["proposal"]["seat"]
    if seat == you["seat"]:
        return {"undo": "You have asked to take back a move", "draw": "You have proposed a draw"}.get(kind, "You asked")
    asks = {"undo": "asks to take back a move", "draw": "proposes a draw"}.get(kind, "asks")
    return f"{who[seat]} {asks}" + (": accept or reject" if "accept" in you["may"] else "")


def _still_to_answer(view: View, who: Names) -> list[str]:
    """Return the names of the people who haven't accepted the open undo or draw."""
    return [
        who[each["seat"]]
        for each in view["seats"]
        if each["state"] == "in" and each["kind"] == "human" and each["seat"] not in view["proposal"]["accepted"]
    ]


def _scores(view: View, scored: Sequence[str]) -> Iterator[str]:
    if scored and view["last_hand"] is not None:
        yield ""
        yield f"Hand {view['last_hand']['hand']} was scored:"
        yield from (f"  {line}" for line in scored)
