"""Sentences that the rule sheets once lacked: the program and all verifiers follow them."""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from domain.commands import (
    AnswerProposal,
    AskUndo,
    ChangeRules,
    Command,
    GiveRuling,
    MakeBid,
    OpenDispute,
    PassBid,
    ProposeDraw,
    Resign,
)
from domain.events import Evidence, Fairness
from domain.rejections import NoProposal
from domain.rules.choices import Phase
from replay.history import History, export_bytes
from tests.agreement.verdicts import FOUND, RIGHT, unlike, verdicts
from tests.replay.forging import events_of, forged, rewritten
from tests.replay.playing import WINDOW_S, Table, table, until
from tests.replay.variety import SOON, randomizer
from tests.verifiers.go import Verifier
from tests.web.engines import Engine

pytestmark = pytest.mark.xdist_group("go")  # one worker builds the program
NOTE = "ab" * 32


def is_in_play(made: Table) -> bool:
    return made.state.phase is Phase.PLAY


def drawn_while_waiting() -> Table:
    """Return a table at which two of three agree to a draw while a deal waits for cuts, and then it's dealt."""
    made = table(1, 3, fairness=Fairness("open", WINDOW_S))
    made.says(ProposeDraw(0))
    made.says(AnswerProposal(1, accept=True))
    assert made.state.proposal is not None
    return until(made, lambda each: each.state.phase is Phase.AUCTION)


def changed_while_waiting() -> Table:
    """Return a table whose host changes the rules after a draw was proposed while a deal waits for cuts."""
    made = table(1, variant="corellian", host_changes=True, fairness=Fairness("open", WINDOW_S))
    made.says(ProposeDraw(1))
    made.says(ChangeRules(0, "dirty:on"))
    return made


def withdrawn() -> Table:
    """Return a table at which a seat withdraws an undo, after another has agreed, and a draw."""
    made = until(table(2, 3), lambda each: each.state.phase is Phase.AUCTION)
    (first,) = made.state.turn
    for command in (MakeBid(first, 2), AskUndo(first), AnswerProposal((first + 1) % 3, accept=True)):
        made.says(command)
    made.says(AnswerProposal(first, accept=False))
    made.says(ProposeDraw(first))
    made.says(AnswerProposal(first, accept=False))
    return made


def void(made: Table) -> Table:
    """Let an arbiter void the hand in play."""
    hand = made.state.hand
    made.says(OpenDispute(0, 0 if hand is None else hand.number, made.game.version, "deal", NOTE))
    evidence = Evidence(made.game.version, made.game.root)
    made.do(GiveRuling("ann", 1, "void", (), None, "recorded", evidence, NOTE), "ann")
    return made


def after_time() -> Table:
    """Return a session whose last hand is voided while it's played out after the time has come."""
    made = until(table(4, variant="corellian", randomizer=None, ends_at=SOON, stop="after_hand"), is_in_play)
    made.clock += 60
    return void(made)


def after_draw() -> Table:
    """Return a session whose last hand is voided while it's played out after the end was drawn."""
    ends_at_once = randomizer((0, 1), (1, 1))
    return void(until(table(4, variant="corellian", **ends_at_once, stop="after_hand"), is_in_play))


def before_the_end() -> Table:
    """Return a session in which a hand is voided before its time has come."""
    made = table(4, variant="corellian", randomizer=None, stop="after_hand", ends_at="2027-01-01T00:00:00Z")
    return void(until(made, is_in_play))


def test_attack_180_a_draw_is_answered_by_those_who_may(engine: Engine, verifier: Verifier) -> None:
    history = withdrawn().history
    proposed, answered = len(history.lines) - 1, len(history.lines)

    def with_answer(**data: object) -> bytes:
        seen = count(1)
        return export_bytes(forged(history, lambda event: next(seen) == answered and event["data"].update(data)))

    def without_proposal(event: dict[str, Any]) -> None:
        if next(numbers) == proposed:
            event.update(fact="UndoAnswered", data={"seat": (event["data"]["seat"] + 1) % 3, "accept": True})

    numbers = count(1)
    made = {
        "the asker agrees": with_answer(accept=True),
        "another seat's answer": with_answer(seat=9),
        "no proposal": export_bytes(forged(history, without_proposal)),
    }
    assert unlike(verdicts(made, engine, verifier), FOUND) == {}


def in_auction(*closing: Callable[[int], Command]) -> tuple[Table, int]:
    """Return a table at which a draw was proposed and these commands of the seat to bid came, and that seat."""
    made = until(
        table(4, variant="corellian", randomizer=None, host_changes=True),
        lambda each: each.state.phase is Phase.AUCTION,
    )
    (seat,) = made.state.turn
    made.says(ProposeDraw((seat + 1) % 4))
    for each in closing:
        made.says(each(seat))
    return made, seat


CLOSING: dict[str, Callable[[int], Command]] = {
    "a bid": lambda seat: MakeBid(seat, 5),
    "a pass": PassBid,
    "a change of the rules": lambda _: ChangeRules(0, "dirty:on"),
    "a resignation": lambda seat: Resign((seat + 2) % 4),
}


def test_attack_182_what_closed_a_proposal_leaves_nothing_to_answer(engine: Engine, verifier: Verifier) -> None:
    """An event after it, of a seat that answered nothing, is forged into its answer."""
    made, sound = dict[str, bytes](), dict[str, bytes]()
    for name, closes in CLOSING.items():
        played, seat = in_auction(closes)
        other = next(each for each in played.state.still_in if each != (seat + 1) % 4)
        played.says(ProposeDraw(other))
        sound[name] = export_bytes(played.history)
        made[name] = with_last(played.history, fact="DrawAnswered", data={"seat": other, "accept": True})
    undone, seat = in_auction(lambda seat: MakeBid(seat, 5), AskUndo)
    sound["an undo"] = export_bytes(undone.history)
    for name, closes in ("a bid after it", PassBid), ("a refusal", lambda other: AnswerProposal(other, accept=False)):
        played = undone.fork()
        (turn,) = played.state.turn
        played.says(closes(turn))
        played.says(ProposeDraw(turn))
        made[name] = with_last(played.history, fact="UndoAnswered", data={"seat": turn, "accept": True})
    assert unlike(verdicts(sound, engine, verifier), RIGHT) == {}
    assert unlike(verdicts(made, engine, verifier), FOUND) == {}


def test_attack_182_a_draw_needs_everybody_and_one_proposal_is_open_at_a_time(
    engine: Engine, verifier: Verifier
) -> None:
    second, seat = in_auction(lambda seat: AnswerProposal(seat, accept=False))
    both = with_last(second.history, fact="DrawProposed", data={"seat": seat})
    agreed, seat = in_auction(*(lambda seat, by=by: AnswerProposal((seat + by) % 4, accept=True) for by in (0, 2, 3)))
    assert agreed.state.result is not None
    last = max(n for n, entry in enumerate(agreed.entries) if entry.event.fact == "DrawAnswered")
    numbers = count()
    against = forged(agreed.history, lambda event: next(numbers) == last and event["data"].update(accept=False))
    bots = until(
        table(2, 3, bots=[2]), lambda each: each.state.undo_point is not None and each.state.undo_point.seat != 2
    )
    assert bots.state.undo_point is not None
    bots.says(AskUndo(bots.state.undo_point.seat))
    of_bots = with_last(bots.history, fact="DrawProposed", data={"seat": bots.state.undo_point.seat})
    made = {"two proposals": both, "against one": export_bytes(against), "with a bot": of_bots}
    assert unlike(verdicts({"sound": export_bytes(agreed.history)}, engine, verifier), RIGHT) == {}
    assert unlike(verdicts(made, engine, verifier), FOUND) == {}


def test_attack_189_draws_and_reveals_come_once_and_in_their_order(engine: Engine, verifier: Verifier) -> None:
    """A seed that is shown while its hand is played tells all cards to anybody who reads the log."""
    history = table(7, 4, variant="setback", bots=[2]).hands(1).history
    events = events_of(history)
    at = {fact: [event["fact"] for event in events].index(fact) for fact in {event["fact"] for event in events}}
    revealed = [place for place, event in enumerate(events) if event["fact"] == "CeremonyRevealed"][1]

    def moved(place: int, to: int) -> bytes:
        others = [*events[:place], *events[place + 1 :]]
        return export_bytes(rewritten(history, in_time([*others[:to], events[place], *others[to:]])))

    def twice(place: int) -> bytes:
        again = events[place] | {"salt": "ab" * 16}
        return export_bytes(rewritten(history, in_time([*events[: place + 1], again, *events[place + 1 :]])))

    made = {f"{fact} twice": twice(at[fact]) for fact in ("SeedKept", "DealerDrawn", "StockLaid", "TrumpPitched")}
    made |= {f"revealed {back} facts early": moved(revealed, revealed - back) for back in (1, 2, 6, 12)}
    made["pitched before the auction is won"] = moved(at["AuctionWon"], at["TrumpPitched"])
    made["stock after a turn"] = moved(at["StockLaid"], at["StockLaid"] + 1)
    assert unlike(verdicts({"sound": export_bytes(history)}, engine, verifier), RIGHT) == {}
    assert unlike(verdicts(made, engine, verifier), FOUND) == {}


def in_time(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return events in another order, at the times at which as many events happened."""
    return [event | {"at": at} for event, at in zip(events, sorted(event["at"] for event in events), strict=True)]


def undone_by(made: Table) -> int:
    """Return the seat that can take its move back, or -1."""
    return -1 if made.state.undo_point is None else made.state.undo_point.seat


def with_last(history: History, **change: object) -> bytes:
    """Return the export of a history whose last event is forged."""
    numbers, last = count(1), len(history.lines)
    return export_bytes(forged(history, lambda event: next(numbers) == last and event.update(change)))


def test_R_P8_the_deal_drops_a_draw_that_was_proposed_while_it_waited_for_cuts() -> None:
    made = drawn_while_waiting()
    assert made.state.proposal is None
    assert not made.over


def test_R_P8_a_change_of_the_rules_drops_a_draw_that_was_proposed_while_a_deal_waited_for_cuts() -> None:
    made = changed_while_waiting()
    assert made.state.hand is None
    with pytest.raises(NoProposal):
        made.says(AnswerProposal(3, accept=True))


def test_R_C42_a_last_hand_that_is_voided_ends_the_session_and_is_not_dealt_again() -> None:
    for made, reason in ((after_time(), "time"), (after_draw(), "randomizer")):
        assert made.state.result is not None
        assert (made.state.result.reason, made.scored) == (reason, 0)
        assert made.state.ceremony_count == 1


def test_R_C66_a_hand_that_is_voided_before_the_end_is_dealt_again() -> None:
    made = before_the_end()
    assert made.state.hand is not None
    assert (made.state.phase, made.state.hand.number) == (Phase.AUCTION, 1)
    assert made.state.hand.redeal > 0


def test_all_verifiers_find_such_games_right(engine: Engine, verifier: Verifier) -> None:
    games = {make.__name__: make() for make in (drawn_while_waiting, withdrawn, after_time, after_draw, before_the_end)}
    exports = {name: export_bytes(made.history) for name, made in games.items()}
    assert unlike(verdicts(exports, engine, verifier), RIGHT) == {}
