"""Views and reports for a terminal as rich tables, and for files and pipes as plain text."""

from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from projections.views.uncounted_games import unrated_line
from replay.text.narrate import describe_setting
from replay.text.sanitize import sanitize

FILE_WIDTH = 100_000
"""The columns of output for a file or pipe: more than any line has."""
View = Mapping[str, Any]


def make_console() -> Console:
    """Return a console that doesn't interpret markup."""
    return Console(markup=False, highlight=False, emoji=False)


def plain_text(what: RenderableType) -> str:
    """Return `what` as plain text for a file or a pipe: without line wraps or trailing blanks."""
    written = StringIO()
    Console(
        file=written, force_terminal=False, no_color=True, width=FILE_WIDTH, markup=False, highlight=False, emoji=False
    ).print(what)
    return "\n".join(each.rstrip() for each in written.getvalue().split("\n"))


def make_table(*heads: str) -> Table:
    """Return an empty table with these headings."""
    table = Table(box=None, pad_edge=False)
    for head in heads:
        table.add_column(head)
    return table


def add_row(table: Table, *cells: object) -> None:
    """Add a row to a table; None becomes an empty cell, and markup isn't interpreted."""
    table.add_row(*(Text("" if cell is None else sanitize(str(cell))) for cell in cells))


def text_line(text: str) -> Text:
    """Return a line of text without markup and control characters."""
    return Text(sanitize(text))


def seat_names(view: View, names: Mapping[str, str]) -> dict[int, str]:
    """Return the player's name of each seat of a view."""
    return {each["seat"]: sanitize(names.get(each["player"], each["player"])) for each in view["seats"]}


def view_table(view: View, names: Mapping[str, str]) -> RenderableType:
    """Return a view as a table of the seats and a few lines."""
    who = seat_names(view, names)
    return Group(_head(view), _seats(view, who), *map(text_line, _lines(view, who)))


def _head(view: View) -> Text:
    hand, rules = view["hand"], view["rules"]
    parts = [f"board {view['board']}", view["variant"], *_goal(rules), f"event {view['version']}"]
    parts += [f"hand {hand['number']}", view["phase"]] if hand else [view["phase"]]
    return text_line(" · ".join(parts))


def _goal(rules: View) -> list[str]:
    """Return the goal of a game: a score, a number of hands, or neither."""
    goal = [] if rules.get("goal") is None else [f"to {rules['goal']}"]
    return [*goal, *([f"{rules['hands']} hands"] if "hands" in rules else [])]


def _seats(view: View, who: Mapping[int, str]) -> Table:
    table, hand = make_table("seat", "player", "score", "bid", "cards", "tricks", ""), view["hand"]
    for each in view["seats"]:
        seat, notes = each["seat"], []
        notes += ["dealer"] if hand and hand["dealer"] == seat else []
        notes += ["pitcher"] if hand and hand["pitcher"] == seat else []
        notes += ["to move"] if seat in view["turn"]["seats"] else []
        notes += [] if each["state"] == "in" else [each["state"]]
        bid = _bid(hand, seat) if hand else None
        add_row(table, seat, who[seat], each["score"], bid, each["count"], each["tricks"], ", ".join(notes))
    return table


def _bid(hand: View, seat: int) -> object:
    """Return a seat's bid, "pass", or None if it hasn't bid."""
    return "pass" if seat in hand["passed"] and hand["bids"][seat] is None else hand["bids"][seat]


def _lines(view: View, who: Mapping[int, str]) -> Iterator[str]:
    hand, you, last = view["hand"], view.get("you"), view["last_hand"]
    yield from _rules(view["rules"])
    if "unrated" in view:
        yield unrated_line(view["unrated"])
    if hand:
        yield from _contract(hand, who)
    if len(view["sides"]) < len(view["seats"]):
        yield f"playing together: {'; '.join(' and '.join(who[seat] for seat in side) for side in view['sides'])}"
    if hand and hand["trick"]:
        leads = f"{who[hand['trick']['leader']]} leads"
        yield f"trick {hand['trick']['number']}: {_plays(hand['trick'], who) or leads}"
    if hand and hand["last_trick"]:
        plays, taker = _plays(hand["last_trick"], who), who[hand["last_trick"]["seat"]]
        yield f"last trick: {plays}, to {taker}" if plays else f"last trick: to {taker}"
    if you:
        yield from _held_cards(view, you, who)
        yield from (f"legal: {_moves(you['legal'])}" for _ in you["legal"][:1])
        yield from _choose(you["choose"])
    if last:
        changes = ", ".join(f"{who[seat]} {change:+}" for seat, change in enumerate(last["changes"]))
        yield f"hand {last['hand']} brought {changes}"
    if view["proposal"]:
        yield f"{who[view['proposal']['seat']]} has proposed: {view['proposal']['kind']}"
    if view["delay"]:
        yield _delay(view["delay"], who)
    yield from _outcome(view, who)


def _outcome(view: View, who: Mapping[int, str]) -> Iterator[str]:
    """Yield disputes, the scores as ruled, and the result as played."""
    for each in view["disputes"]:
        yield f"dispute {each['dispute']} on hand {each['hand']}, {each['kind']}: {each['status']}"
    if view["ruled"]:
        yield _ruled_text(view["ruled"], who)
    if view["result"]:
        won = " and ".join(who[seat] for seat in view["result"]["winners"]) or "nobody"
        yield f"over ({view['result']['reason']}): {won} {'win' if len(view['result']['winners']) > 1 else 'wins'}"


def _ruled_text(ruled: View, who: Mapping[int, str]) -> str:
    won = f"; {' and '.join(who[seat] for seat in ruled['winners'])} won" if ruled["winners"] else ""
    return f"as ruled: {', '.join(f'{who[seat]} {score}' for seat, score in enumerate(ruled['scores']))}{won}"


def _held_cards(view: View, you: View, who: Mapping[int, str]) -> Iterator[str]:
    """Yield the cards that `you` sees; nothing for a seat without cards."""
    counts = {each["seat"]: each["count"] for each in view["seats"]}
    seen = {you["seat"]: you["cards"]} | {int(seat): cards for seat, cards in you["sees"].items()}
    for seat, cards in seen.items():
        if cards or counts[seat]:
            yield f"{who[seat]} holds {' '.join(cards or ()) or 'nothing shown'}"


def _rules(rules: View) -> Iterator[str]:
    """Yield the rules in force, if they can change, and the deferred changes."""
    if "points" in rules:
        bids = f"bids {rules['least_bid']} to {rules['most_bid']}"
        yield f"rules: {_setting(rules)}; {bids}"
        yield from (f"waiting: {_setting(each)}" for each in rules["deferred"])
    if "ends_at" in rules:
        yield f"ends at {rules['ends_at']}"


def _setting(rules: View) -> str:
    return describe_setting(rules["points"], dirty=rules["dirty"], reverse=rules["reverse"], partners=rules["partners"])


def _contract(hand: View, who: Mapping[int, str]) -> Iterator[str]:
    """Yield trump, the upcard, the bid and the called card."""
    parts = [f"trump {hand['trump']}"] if hand["trump"] else []
    parts += [f"turned up {hand['upcard']}"] if hand["upcard"] else []
    parts += [f"bid {hand['bid']} by {who[hand['pitcher']]}"] if hand["pitcher"] is not None else []
    parts += [f"called {hand['called']}"] if hand["called"] else []
    if parts:
        yield ", ".join(parts)


def _choose(choose: View | None) -> Iterator[str]:
    """Yield the choice that the list of legal moves can't show."""
    if choose is None:
        return
    if choose["type"] == "call_partner":
        yield f"choose: call_partner, {choose['from']} card"
        return
    many = str(choose["min"]) if choose["min"] == choose["max"] else f"{choose['min']} to {choose['max']}"
    must = f", with {' '.join(choose['must'])}" if choose["must"] else ""
    yield f"choose: {choose['type']} {many} of {' '.join(choose['from'])}{must}"


def _delay(call: View, who: Mapping[int, str]) -> str:
    votes = ", ".join(f"{who[vote['seat']]} {'guilty' if vote['guilty'] else 'not guilty'}" for vote in call["votes"])
    return f"{who[call['seat']]} calls delay of game on {who[call['accused']]}: {votes}"


def _plays(trick: View, who: Mapping[int, str]) -> str:
    return ", ".join(f"{who[play['seat']]} {play['card']}" for play in trick["plays"])


def _moves(legal: list[View]) -> str:
    return ", ".join(" ".join(str(value) for value in move.values()) for move in legal)
