"""Undo, draws and leaving (R-P7, R-P8, R-P9; docs/events.md)."""

import pytest

from domain.commands import AnswerProposal, AskUndo, Command, MakeBid, PassBid, ProposeDraw, Resign
from domain.decide.stand_in import stand_in_move
from domain.engine.legal_moves import legal_moves
from domain.events import (
    BidMade,
    BidPassed,
    DrawAnswered,
    DrawProposed,
    Fact,
    GameEnded,
    MovesTakenBack,
    SeatResigned,
    UndoAnswered,
    UndoAsked,
)
from domain.rejections import NoDraw, NoProposal, NothingToUndo, OutOfTurn, ProposalOpen, SeatLeft
from domain.rules.choices import Phase
from tests.games.hands import HANDS, card, commit, fact_names, go_on, only_fact
from tests.given import Given, auction, deal, game_opened, given


def after(*commands: Command, players: int = 4, bots: tuple[int, ...] = ()) -> Given:
    return go_on(given(game_opened(players, bots=bots), *deal(HANDS[:players])), *commands)


def pitched(*commands: Command, players: int = 4, bots: tuple[int, ...] = ()) -> Given:
    """Return the situation after seat 0 has won the auction for two, and these commands."""
    bids = (2, *[0] * (players - 1))
    return go_on(given(game_opened(players, bots=bots), *deal(HANDS[:players]), *auction(*bids)), *commands)


BID = after(MakeBid(0, 2))
ASKED = after(MakeBid(0, 2), AskUndo(0))
PROPOSED = after(MakeBid(0, 2), ProposeDraw(2))


def test_an_undo_needs_every_other_person() -> None:
    version = after().state.version
    table = ASKED.when(AnswerProposal(2, True)).then(UndoAnswered(2, accept=True))
    table = table.when(AnswerProposal(1, True)).then(UndoAnswered(1, accept=True))
    table = table.when(AnswerProposal(3, True)).then(UndoAnswered(3, accept=True), MovesTakenBack(0, version, (0,)))
    assert (table.state.hand, table.state.turn) == (after().state.hand, (0,))
    table.when(PassBid(0)).then(BidPassed(0, next=(1,)))


def test_undoing_the_first_card_undoes_the_trump() -> None:
    before = pitched()
    table = go_on(before, card("0 AH"), AskUndo(0), *(AnswerProposal(seat, True) for seat in (1, 2, 3)))
    assert table.facts[-1] == MovesTakenBack(0, before.state.version, (0,))
    assert table.state.hand == before.state.hand
    assert legal_moves(table.state, 0) == legal_moves(before.state, 0)
    assert fact_names(table.when(card("0 9C")).facts) == ["TrumpPitched", "CardPlayed"]


def test_undoing_a_card_within_a_trick_undoes_only_that_card() -> None:
    before = pitched(card("0 AH"))
    table = go_on(before, card("1 2H"), AskUndo(1), *(AnswerProposal(seat, True) for seat in (0, 2, 3)))
    assert (table.state.hand, table.state.turn) == (before.state.hand, (1,))
    table.when(card("1 3H")).happens()


def test_a_move_that_cannot_be_undone() -> None:
    trick = (card("0 AH"), card("1 2H"), card("2 4H"), card("3 6H"))
    for table, seat in (
        (after(), 0),
        (BID, 1),
        (after(MakeBid(0, 2), PassBid(1)), 0),
        (after(MakeBid(0, 2), *map(PassBid, (1, 2, 3))), 3),  # the auction is won
        (pitched(*trick), 3),  # the trick is taken
        (after(MakeBid(0, 2), Resign(2)), 0),
        (go_on(ASKED, *(AnswerProposal(seat, True) for seat in (1, 2, 3))), 0),  # a second move back
        (after(MakeBid(0, 2), bots=(0,)), 0),
    ):
        table.when(AskUndo(seat)).rejected(NothingToUndo)


def test_a_move_before_the_last_deal_cannot_be_undone() -> None:
    passed = after(*map(PassBid, (0, 1, 2)))
    dealt = given(*passed.facts, *commit(passed, PassBid(3)))
    assert dealt.state.phase is Phase.AUCTION
    dealt.when(AskUndo(3)).rejected(NothingToUndo)


def test_an_answer_without_an_open_proposal_is_refused() -> None:
    yes, no = AnswerProposal(1, True), AnswerProposal(1, False)
    for table, command in (
        (BID, yes),
        (ASKED, AnswerProposal(0, True)),  # by the proposer
        (go_on(ASKED, yes), yes),
        (go_on(ASKED, yes), no),  # a change of mind
        (go_on(ASKED, no), AnswerProposal(2, True)),
        (go_on(ASKED, PassBid(1)), AnswerProposal(2, True)),
        (go_on(ASKED, Resign(3)), AnswerProposal(2, True)),
        (go_on(PROPOSED, AnswerProposal(0, False)), yes),
        (go_on(PROPOSED, PassBid(1)), AnswerProposal(0, True)),
        (go_on(PROPOSED, Resign(2)), AnswerProposal(0, True)),
        (after(MakeBid(0, 2), AskUndo(0), bots=(1,)), yes),  # by a bot
    ):
        table.when(command).rejected(NoProposal)


def test_a_rejected_undo_changes_nothing_and_can_be_proposed_again_before_the_next_move() -> None:
    table = ASKED.when(AnswerProposal(3, False)).then(UndoAnswered(3, accept=False))
    assert (table.state.hand, table.state.turn) == (BID.state.hand, (1,))
    table.when(AskUndo(0)).then(UndoAsked(0, after().state.version))


def test_the_seat_that_asked_withdraws_a_proposal_and_cannot_accept_it() -> None:
    ASKED.when(AnswerProposal(0, True)).rejected(NoProposal)
    withdrawn = ASKED.when(AnswerProposal(0, False)).then(UndoAnswered(0, accept=False))
    assert (withdrawn.state.proposal, withdrawn.state.turn) == (None, (1,))
    withdrawn.when(AnswerProposal(0, False)).rejected(NoProposal)
    withdrawn.when(AskUndo(0)).then(UndoAsked(0, after().state.version))
    PROPOSED.when(AnswerProposal(2, False)).then(DrawAnswered(2, accept=False))
    agreed = go_on(ASKED, AnswerProposal(1, True))
    agreed.when(AnswerProposal(1, False)).rejected(NoProposal)
    agreed.when(AnswerProposal(0, False)).then(UndoAnswered(0, accept=False))


def test_one_proposal_at_a_time_which_blocks_no_move_and_changes_no_turn() -> None:
    for table in (ASKED, PROPOSED):
        table.when(AskUndo(0)).rejected(ProposalOpen)
        table.when(ProposeDraw(1)).rejected(ProposalOpen)
        table.when(MakeBid(1, 3)).then(BidMade(1, 3, next=(2,)))
        table.when(MakeBid(0, 3)).rejected(OutOfTurn)


def test_bots_do_not_have_to_answer() -> None:
    version = after().state.version
    table = after(MakeBid(0, 2), bots=(1, 3))
    table = table.when(AskUndo(0)).then(UndoAsked(0, version))
    table.when(AnswerProposal(2, True)).then(UndoAnswered(2, accept=True), MovesTakenBack(0, version, (0,)))


def test_an_undo_is_granted_at_once_if_no_other_person_plays() -> None:
    version = after().state.version
    table = after(MakeBid(0, 2), bots=(1, 2, 3))
    table.when(AskUndo(0)).then(UndoAsked(0, version), MovesTakenBack(0, version, (0,)))


def test_a_seat_that_left_does_not_have_to_answer() -> None:
    table = after(Resign(3), MakeBid(0, 2), AskUndo(0), AnswerProposal(1, True))
    assert fact_names(table.when(AnswerProposal(2, True)).facts) == ["UndoAnswered", "MovesTakenBack"]


def test_a_draw_needs_every_other_person_and_has_no_winner() -> None:
    table = BID.when(ProposeDraw(2)).then(DrawProposed(2))
    table = table.when(AnswerProposal(0, True)).then(DrawAnswered(0, accept=True))
    table = table.when(AnswerProposal(3, True)).then(DrawAnswered(3, accept=True))
    facts = commit(table, AnswerProposal(1, True))
    assert fact_names(facts) == ["DrawAnswered", "CeremonyRevealed", "GameEnded"]
    assert only_fact(GameEnded, facts) == GameEnded("draw", (), (0, 0, 0, 0))


def test_any_seat_can_propose_a_rejected_draw_again() -> None:
    table = PROPOSED.when(AnswerProposal(0, False)).then(DrawAnswered(0, accept=False))
    table.when(ProposeDraw(1)).then(DrawProposed(1))


def test_a_draw_is_refused_in_a_game_with_a_bot() -> None:
    after(bots=(3,)).when(ProposeDraw(0)).rejected(NoDraw)


def test_a_seat_can_leave_at_any_time_and_the_game_continues() -> None:
    for table, seat in ((after(), 2), (BID, 1), (ASKED, 0), (PROPOSED, 3), (pitched(card("0 AH")), 0)):
        left = table.when(Resign(seat)).then(SeatResigned(seat))
        assert left.state.turn == table.state.turn
        assert left.state.still_in == tuple(each for each in range(4) if each != seat)
        left.when(Resign(seat)).rejected(SeatLeft)


@pytest.mark.parametrize(
    ("players", "bots", "leave", "reason", "winners"),
    [
        pytest.param(2, (), (0,), "resignation", (1,), id="two people: the other wins"),
        pytest.param(3, (), (1, 0), "resignation", (2,), id="the last of three wins"),
        pytest.param(4, (), (3, 1, 0), "resignation", (2,), id="the last of four wins"),
        pytest.param(2, (1,), (0,), "resignation", (1,), id="a bot alone in is one side still in, and wins"),
        pytest.param(3, (2,), (0, 1), "resignation", (2,), id="two people leave, the bot wins"),
        pytest.param(3, (1, 2), (0,), "void", (), id="no person is in: void"),
        pytest.param(4, (0, 3), (1, 2), "void", (), id="no person is in, several bots: void"),
    ],
)
def test_R_P9_the_last_side_wins_or_the_game_is_void(
    players: int, bots: tuple[int, ...], leave: tuple[int, ...], reason: str, winners: tuple[int, ...]
) -> None:
    table = after(*map(Resign, leave[:-1]), players=players, bots=bots)
    facts = commit(table, Resign(leave[-1]))
    assert fact_names(facts) == ["SeatResigned", "CeremonyRevealed", "GameEnded"]
    assert only_fact(GameEnded, facts) == GameEnded(reason, winners, (0,) * players)


def test_the_game_continues_with_two_sides_and_a_person() -> None:
    for players, bots, leave in ((3, (), (0,)), (4, (), (0, 1)), (3, (2,), (0,))):
        table = after(*map(Resign, leave[:-1]), players=players, bots=bots)
        assert commit(table, Resign(leave[-1])) == (SeatResigned(leave[-1]),)


@pytest.mark.parametrize(
    ("hand", "moves", "plays"),
    [
        pytest.param("AH 2S KC 3D", (), "2S", id="the lowest rank"),
        pytest.param("2S 2H 2D 2C", (), "2C", id="clubs before diamonds, hearts, spades"),
        pytest.param("2S 2H 3D AC", (), "2H", id="hearts before spades"),
        pytest.param("10C JC QC KC", (), "10C", id="ten below jack"),
        pytest.param("AC KD QH JS", (), "JS", id="jack below queen"),
        pytest.param("AC KD AH QS", (), "QS", id="queen below king"),
        pytest.param("AC KD AH AS", (), "KD", id="king below ace"),
        pytest.param("2C AH KH 9H", ("lead",), "9H", id="the lowest that is legal"),
        pytest.param("2C 3D 4S 5S", ("lead",), "2C", id="any card if none follows"),
    ],
)
def test_R_P9_the_table_plays_the_lowest_legal_card_for_a_seat_that_left(
    hand: str, moves: tuple[str, ...], plays: str
) -> None:
    """Seat 1 left; it leads, or follows the ten of hearts."""
    others = ["10H 7S 8S 9S", "3H 7D 8D 9D"]
    bids = (2, 0, 0) if moves else (0, 2, 0)
    table = given(game_opened(3), *deal([others[0], hand, others[1]]), SeatResigned(1), *auction(*bids))
    if moves:
        table = go_on(table, card("0 10H"))
    assert stand_in_move(table.state, 1) == card(f"{1} {plays}")


def test_R_P9_the_table_passes_for_a_seat_that_left() -> None:
    assert stand_in_move(after(Resign(0)).state, 0) == PassBid(0)
    assert stand_in_move(after(MakeBid(0, 2), Resign(1)).state, 1) == PassBid(1)


def test_R_P9_a_hand_is_thrown_in_if_all_seats_still_in_pass() -> None:
    table = after(Resign(3), *map(PassBid, (0, 1, 2)))
    facts: tuple[Fact, ...] = table.when(stand_in_move(table.state, 3)).facts
    assert fact_names(facts) == ["BidPassed", "HandThrownIn"]
