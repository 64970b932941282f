"""A board as text: the seats awaited, the scores, the trick, the own cards and the legal moves.

Lines, mails, the terminal and replays show this text, each from the view of one seat or of everybody.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from domain.cards import SUIT_NAMES
from domain.rules.variants import KNOWN
from projections.moves.text_moves import MOON, move_text
from projections.views.results import unrated_line
from replay.text.layout import columns, in_words, minute_of
from replay.text.narrate import describe_setting

View = Mapping[str, Any]
HIDDEN = "cards that aren't shown"
Names = Mapping[int, str]


def board_text(view: View, names: Mapping[str, str], scored: Sequence[str] = ()) -> str:
    """Return a view as text. `scored` are the score lines of the last hand (S40)."""
    who = seat_names(view, names)
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
            *_as_ruled(view, who),
            *_last_hand(view, who, scored),
        ]
    ).rstrip("\n")


def seat_names(view: View, names: Mapping[str, str]) -> dict[int, str]:
    """Return the player's name of each seat of a view, or the player's id without one."""
    return {each["seat"]: names.get(each["player"], each["player"]) for each in view["seats"]}


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
    title = KNOWN[view["variant"]].title if view["variant"] in KNOWN else view["variant"]
    parts = [f"Board {view['board']}", title]
    parts += [] if rules.get("goal") is None else [f"to {rules['goal']}"]
    parts += [f"{rules['hands']} hands"] if "hands" in rules else []
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
    rows: list[Sequence[object]] = [("seat", "player", "score", "bid", "tricks", "cards", "")]
    for each in view["seats"]:
        seat = each["seat"]
        numbers = each["tricks"], each["count"]
        rows.append((seat, who[seat], each["score"], bid_text(view, seat), *numbers, seat_notes(view, each)))
    return columns(rows, right=(0, 2, 3, 4, 5))


def bid_text(view: View, seat: int) -> object:
    """Return a seat's bid, "moon", "pass", or None if it hasn't bid."""
    hand = view["hand"]
    if hand is None:
        return None
    bid = hand["bids"][seat]
    if bid is None:
        return "pass" if seat in hand["passed"] else None
    return MOON if bid == view["rules"].get("moon") else bid


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
    yield from _rules(view["rules"])
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


def _rules(rules: View) -> Iterator[str]:
    """Yield the rules in force if they can change, the changes that wait, and when the game ends."""
    if rules.get("points") is not None:
        yield f"Rules: {_setting(rules)}; bids {rules['least_bid']} to {rules['most_bid']}"
        yield from (f"After this hand: {_setting(each)}" for each in rules["deferred"])
    if "ends_at" in rules:
        yield f"The game ends at {minute_of(rules['ends_at'])} UTC"


def _setting(rules: View) -> str:
    return describe_setting(rules["points"], dirty=rules["dirty"], reverse=rules["reverse"], partners=rules["partners"])


def _plays(trick: View, who: Names) -> str:
    return ", ".join(f"{who[play['seat']]} {play['card']}" for play in trick["plays"])


def _own(view: View, who: Names) -> Iterator[str]:
    you = view.get("you")
    if you is None:
        return
    counts = {each["seat"]: each["count"] for each in view["seats"]}
    for seat, cards in sorted(you["sees"].items()):
        if cards or counts[int(seat)]:
            yield f"{who[int(seat)]} holds: {' '.join(cards or ()) or HIDDEN}"
    if you["cards"] is None and counts[you["seat"]]:
        yield "You don't see your own card in this hand."
    elif you["cards"]:
        yield f"Your cards: {' '.join(you['cards'])}"
    yield from legal_text(you, view["rules"].get("moon"))


def legal_text(you: View, moon: int | None = None) -> list[str]:
    """Return the lines about the moves of a seat's turn: those that can be listed, and a choice of cards."""
    legal, choose = you.get("legal") or (), you.get("choose")
    lines = [f"You may: {moves_text(legal, moon)}"] if legal else []
    return lines if choose is None else [*lines, f"You may {choice_text(choose)}"]


def moves_text(moves: Sequence[View], moon: int | None = None) -> str:
    """Return moves as a list in which the word for a bid stands once: "pass, bid 2, 3, 4"; `moon` is a word."""
    bids = [move for move in moves if move["type"] == "bid" and move["bid"] != moon]
    return ", ".join(str(move["bid"]) if move in bids[1:] else move_text(move, moon) for move in moves)


def choice_text(choose: View) -> str:
    """Return a choice that is too large to list: "throw 3 of 2C AH KH; these must go: 2C"."""
    if choose["type"] == "call_partner":
        return "call a card, like: call KH"
    number = str(choose["min"]) if choose["min"] == choose["max"] else f"{choose['min']} to {choose['max']}"
    must = f"; these must go: {' '.join(choose['must'])}" if choose["must"] else ""
    return f"throw {number} of {' '.join([*choose['must'], *choose['from']])}{must}"


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
        votes = "".join(
            f"; {who[vote['seat']]}: {'guilty' if vote['guilty'] else 'not guilty'}" for vote in delay["votes"]
        )
        yield f"{who[delay['seat']]} calls delay of game on {who[delay['accused']]}{answers}{votes}"
    for each in view["disputes"]:
        yield f"Dispute {each['dispute']} on hand {each['hand']} ({each['kind']}): {each['status']}"


def _proposal(view: View, who: Names, you: View) -> str:
    """Return the open undo or draw as its asker reads it, a seat that may answer, or anybody else."""
    kind, seat = view["proposal"]["kind"], view["proposal"]["seat"]
    if seat == you["seat"]:
        asked = {"undo": "You have asked to take back a move", "draw": "You have proposed a draw"}
        return asked.get(kind, "You asked") + (": reject withdraws it" if "reject" in you["may"] else "")
    asks = {"undo": "asks to take back a move", "draw": "proposes a draw"}.get(kind, "asks")
    return f"{who[seat]} {asks}" + (": accept or reject" if "accept" in you["may"] else "")


def _still_to_answer(view: View, who: Names) -> list[str]:
    """Return the names of the people who haven't accepted the open undo or draw."""
    return [
        who[each["seat"]]
        for each in view["seats"]
        if each["state"] == "in" and each["kind"] == "human" and each["seat"] not in view["proposal"]["accepted"]
    ]


def _as_ruled(view: View, who: Names) -> Iterator[str]:
    """Yield the scores with the rulings in force, if those change any."""
    ruled = view["ruled"]
    if ruled is not None:
        won = in_words([who[seat] for seat in ruled["winners"]])
        scores = ", ".join(f"{who[seat]} {score}" for seat, score in enumerate(ruled["scores"]))
        yield f"Scores as ruled: {scores}" + (f"; {won} won" if won else "")


def _last_hand(view: View, who: Names, scored: Sequence[str]) -> Iterator[str]:
    """Yield the score lines of the last hand, or only its changes if nobody has them."""
    last = view["last_hand"]
    if last is None:
        return
    yield ""
    if scored:
        yield f"Hand {last['hand']} was scored:"
        yield from (f"  {line}" for line in scored)
    else:
        changes = ", ".join(f"{who[seat]} {change:+}" for seat, change in enumerate(last["changes"]))
        yield f"Hand {last['hand']} brought {changes}"
