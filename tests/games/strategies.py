"""Hypothesis strategies: games played by choices drawn from a seed."""

from hypothesis import strategies as st

from domain.commands import Resign
from domain.rules.choices import Phase
from tests.games.tables import Table


def play_on(table: Table, moves: int, *, bold: bool, leaving: bool) -> Table:
    """Play that many more moves, or fewer if the game ends. Bold players bid anything, others at most two."""
    for _ in range(moves):
        if table.state.result is not None:
            break
        choice = table.entropy(1)[0]
        if leaving and choice == 255:
            table.says(Resign(table.state.persons[-1]))
        elif table.state.phase is Phase.AUCTION and not bold:
            table.moves(int(choice < 128 and len(table.choices()) == 5))
        else:
            table.moves(choice)
    return table


@st.composite
def tables(draw: st.DrawFn, most: int = 200) -> Table:
    """Draw a game, in play or over, after up to `most` moves; seats leave, and hands are thrown in or played."""
    table = Table(
        draw(st.integers(2, 7)),
        seed=draw(st.integers(0, 2**16)),
        bots=draw(st.sampled_from([(), (1,)])),
        reveal=draw(st.sampled_from(["hand", "game"])),
        win=draw(st.sampled_from([7, 11, 21])),
    )
    return play_on(table, draw(st.integers(0, most)), bold=draw(st.booleans()), leaving=draw(st.booleans()))
