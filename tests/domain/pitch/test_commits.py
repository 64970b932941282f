"""The facts of one commit of gamerz Pitch: their order and authors (docs/events.md; R-S22)."""

import re

import pytest

from domain.events import GameEnded
from domain.store.aggregate import Entry
from tests.games.hands import only_fact
from tests.games.tables import Table

DEAL = r"CeremonyOpened SeedKept HandDealt( CardsDealt)+ StockLaid"
NEXT = rf"(CeremonyRevealed )?{DEAL}|CeremonyRevealed( CeremonyRevealed)* GameEnded"
COMMITS = re.compile(
    rf"GameOpened {DEAL}"
    r"|Bid(Made|Passed)( AuctionWon)?"
    rf"|BidPassed HandThrownIn ({NEXT})"
    r"|(TrumpPitched )?CardPlayed( TrickTaken)?"
    rf"|CardPlayed TrickTaken HandScored ({NEXT})"
)


def said(entries: tuple[Entry, ...]) -> str:
    return " ".join(entry.event.fact for entry in entries)


@pytest.mark.parametrize("reveal", ["hand", "game"])
@pytest.mark.parametrize(
    ("players", "goal"),
    [
        pytest.param(players, goal, id=f"S2 S4 {players} players to {goal}")
        for players, goal in ((2, 7), (3, 11), (4, 7), (5, 11), (6, 7), (7, 7))
    ],
)
def test_every_commit_of_a_whole_game_is_in_order(players: int, goal: int, reveal: str) -> None:
    table = Table(players, seed=goal, reveal=reveal, win=goal).plays_out()
    for entries in table.commits:
        assert COMMITS.fullmatch(said(entries)), said(entries)
        assert {(entry.event.command, entry.event.at) for entry in entries} == {
            (entries[0].event.command, entries[0].event.at)
        }
    assert [entry.event.version for entries in table.commits for entry in entries] == list(
        range(1, table.state.version + 1)
    )
    over = only_fact(GameEnded, (event.data for event in table.events))
    assert (over.reason, len(over.winners)) == ("goal", 1)
    assert over.scores[over.winners[0]] == goal


@pytest.mark.parametrize(
    ("reveal", "played_out"),
    [
        pytest.param("hand", ["CeremonyRevealed", "CeremonyOpened"], id="R-S22 reveal hand: after every hand"),
        pytest.param("game", ["CeremonyOpened", "SeedKept"], id="R-S22 reveal game: only at the end"),
    ],
)
def test_deals_are_revealed_after_each_hand_or_at_the_end(reveal: str, played_out: list[str]) -> None:
    table = Table(2, reveal=reveal, win=7).plays_out()
    facts = [event.fact for event in table.events]
    assert facts[facts.index("HandScored") + 1 :][:2] == played_out
    dealt = [event.data.n for event in table.events if event.fact == "HandDealt"]
    assert [event.data.n for event in table.events if event.fact == "CeremonyRevealed"] == dealt
    if reveal == "game":
        assert facts[-len(dealt) - 1 :] == ["CeremonyRevealed"] * len(dealt) + ["GameEnded"]
    assert "CeremonyVoided" not in facts
