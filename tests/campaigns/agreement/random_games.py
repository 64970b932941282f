"""Random tables with every option, and games at them with acts out of turn, also while a deal waits for cuts.

A number decides a game: the same one gives the same bytes.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

from domain.commands import (
    AnswerHandover,
    AnswerProposal,
    AskHandover,
    AskUndo,
    CallDelay,
    CallPartner,
    ChangeRules,
    ClaimTime,
    Command,
    ProposeDraw,
    RecordBeacon,
    Resign,
    ReturnSeat,
    Tick,
    VoteDelay,
)
from domain.events import Fairness, GameLimits, Timing, TurnPace, Watch
from domain.protocols.beacon import QUICKNET
from domain.rejections import Rejected
from domain.rules.choices import Cuts
from domain.rules.variants import VARIANTS, Option
from domain.rules.variants.corellian_options import PARTNERS
from domain.rules.variants.corellian_versions import VERSIONS
from domain.store.aggregate import ALWAYS_OPEN
from replay.history import History
from tests.agreement.situations import TRIED, Attempt, author
from tests.replay.audit.test_turn_clocks import EveningsOff, step
from tests.replay.disputing import quarrel
from tests.replay.playing import START, WINDOW_S, Table, table
from tests.replay.variety import AT_ROUND_1000

DAY_S = 24 * 3600
ACTS: dict[type[Any], int] = {
    AskUndo: 6,
    ProposeDraw: 2,
    AnswerProposal: 10,
    AskHandover: 5,
    AnswerHandover: 10,
    ReturnSeat: 3,
    CallDelay: 4,
    VoteDelay: 8,
    ChangeRules: 5,
    CallPartner: 2,
    ClaimTime: 2,
    RecordBeacon: 2,
    Tick: 2,
    Resign: 1,
}
"""Commands that need no turn, and how often each is tried in relation to the others."""
QUARRELS = 0.25
"""The share of acts that are disputes, rulings and appeals."""
MOST_TRIES = 4
"""How many commands of a kind are tried until one is accepted."""
MOST_KINDS = 3
PACES: dict[str, Callable[[Random], TurnPace]] = {
    "live": lambda chance: TurnPace(
        "live", base_s=chance.choice((30, 60)), increment_s=chance.choice((0, 5)), auction_s=20, cap_s=90
    ),
    "daily": lambda _: TurnPace("daily", move_s=DAY_S),
    "bank": lambda _: TurnPace("bank", base_s=2 * DAY_S, move_s=12 * 3600, cap_s=3 * DAY_S),
}


@dataclass
class Game:
    """A game that was played: what the table chose, its acts out of turn that were accepted, and who looks at it."""

    number: int
    settings: dict[str, Any]
    table: Table
    acts: Counter[str] = field(default_factory=Counter)
    acts_while_waiting: int = 0
    viewer: int | str | None = "everything"

    @property
    def name(self) -> str:
        """Return words that tell the game from others."""
        return f"game {self.number} of {self.settings['variant']}, seen by {self.viewer}"

    @property
    def history(self) -> History:
        """Return the log as the viewer may see it."""
        return self.table.history if isinstance(self.viewer, str) else self.table.seen_by(self.viewer)


def random_game(seed: int, number: int) -> Game:
    """Draw a table, and play a hand or two of it."""
    chance = Random(f"{seed} {number}")
    while True:
        settings = drawn_settings(chance)
        with suppress(Rejected):
            made = table(chance.randrange(2**32), game=str(UUID(bytes=chance.randbytes(16), version=4)), **settings)
            break
    game = Game(number, settings, made)
    _play(game, chance)
    game.viewer = chance.choice(("everything", "everything", None, chance.randrange(len(made.state.seats))))
    return game


# The table


def drawn_settings(chance: Random) -> dict[str, Any]:
    """Return a variant with options, the players, and the settings of a table. Some can be refused together."""
    name = chance.choice(list(VARIANTS))
    players = chance.choice(VARIANTS[name].rules.seats)
    bots = chance.sample(range(players), chance.choice((0, 0, 0, 1, players - 1)))
    practice = len(bots) == players - 1 and chance.random() < 0.7
    timing = _timing(chance)
    fairness = _fairness(chance)
    return {
        "variant": name,
        "players": players,
        "bots": tuple(bots),
        "undo": "practice" if practice else chance.choice(("consent", "consent", "consent", "none")),
        "timing": timing,
        "autopilot": chance.choice(("forfeit", "claim", "bot:simple")),
        "fairness": fairness,
        "start": START if fairness.beacon is None else AT_ROUND_1000,
        "hours": EveningsOff() if timing.pace is not None and timing.pace.kind != "live" else ALWAYS_OPEN,
        "reveal": chance.choice(("hand", "hand", "game")),
        "limits": chance.choice((None, None, GameLimits(chance.randint(20, 400), chance.randint(0, 4)))),
        "watch": Watch(public=chance.random() < 0.8, delay=chance.choice((0, 0, chance.randint(1, 50)))),
        "guests": chance.random() < 0.1,
        "opener": chance.choice(("p0", "p0", "p0", "p0", "p0", "p0", "p0", "p0", "p0", "p_club")),
        **_options(VARIANTS[name].options, chance),
    }


def _timing(chance: Random) -> Timing:
    days = chance.choice((None, 1, 7)), chance.choice((None, 3, 21)), chance.choice((None, None, None, 10))
    ends_at = f"{START + timedelta(seconds=chance.randint(1, 400)):%Y-%m-%dT%H:%M:%S.000000Z}"
    kind = chance.choice((None, None, *PACES))
    pace = None if kind is None else PACES[kind](chance)
    return Timing(*days, ends_at=ends_at if chance.random() < 0.1 else None, pace=pace)


def _fairness(chance: Random) -> Fairness:
    cuts = chance.choice((Cuts.NONE, Cuts.NONE, Cuts.OPEN, Cuts.SEALED, Cuts.SEALED))
    if cuts == Cuts.NONE:
        return Fairness()
    return Fairness(str(cuts), WINDOW_S, QUICKNET if chance.random() < 0.3 else None)


def _options(options: tuple[Option, ...], chance: Random) -> dict[str, Any]:
    chosen = {}
    for option in options:
        if chance.random() < 0.6:
            chosen[option.name] = _value(option, chance)
    return chosen


def _value(option: Option, chance: Random) -> Any:
    if option.name == "ends_at":
        soon = f"{START + timedelta(seconds=chance.randint(1, 400)):%Y-%m-%dT%H:%M:%SZ}"
        return chance.choice((None, None, soon))
    if option.name == "randomizer":
        return chance.choice((None, _randomizer(chance), _randomizer(chance)))
    return chance.choice(option.values)


def _randomizer(chance: Random) -> dict[str, Any]:
    return {
        "when": chance.choice(([0, 1], [1, 2], [1, 4], [1, 16], [1, 1])),
        "end": chance.choice((None, [0, 1], [1, 40], [1, 240])),
        "points": chance.sample(list(VERSIONS), chance.randint(0, len(VERSIONS))),
        "dirty": chance.random() < 0.7,
        "reverse": chance.random() < 0.7,
        "partners": chance.sample(PARTNERS, chance.randint(0, len(PARTNERS))),
    }


# The game


def _play(game: Game, chance: Random) -> None:
    made, hands, often = game.table, chance.choice((1, 1, 1, 2)), chance.choice((0.0, 0.2, 0.4))
    pace = game.settings["timing"].pace
    kind = "live" if pace is None else pace.kind
    for _ in range(chance.randint(5, 150)):
        if made.over or made.scored >= hands:
            break
        waits = made.state.pending_deal is not None
        while _goes_on(made) and chance.random() < (0.5 if waits else often):
            _act(game, chance)
        if _goes_on(made):
            with suppress(Rejected):
                step(made, chance, kind)
    for _ in range(chance.choice((0, 0, 3, 12))):
        _act(game, chance)
    if chance.random() < 0.3:
        _end(game, chance)


def _goes_on(made: Table) -> bool:
    return not made.over


def _act(game: Game, chance: Random) -> None:
    """Try acts out of turn until one is accepted."""
    made, waits = game.table, game.table.state.pending_deal is not None
    size = len(made.entries)
    if chance.random() < QUARRELS:
        quarrel(made)
    for kind in chance.choices(list(ACTS), list(ACTS.values()), k=MOST_KINDS):
        tried = list(TRIED[kind](made))
        for each in chance.sample(tried, min(len(tried), MOST_TRIES)):
            if len(made.entries) == size:
                _try(made, each, chance)
    if len(made.entries) > size:
        game.acts[made.entries[size].event.fact] += 1
        game.acts_while_waiting += waits


def _try(made: Table, tried: Command | Attempt, chance: Random) -> None:
    command, wait_s = tried if isinstance(tried, Attempt) else Attempt(tried)
    if isinstance(command, AskHandover):
        command = _to_somebody_new(command, made)
    if wait_s > DAY_S and chance.random() < 0.8:
        return
    made.clock += wait_s
    with suppress(Rejected):
        made.do(command, author(made.state, command))


def _to_somebody_new(command: AskHandover, made: Table) -> AskHandover:
    bot = command.bot is not None
    return replace(command, to=f"bot:{command.bot}:{made.commands}" if bot else f"q{made.commands}")


def _end(game: Game, chance: Random) -> None:
    """Let the people agree to a draw or leave, so that the game ends."""
    made = game.table
    if not made.over and chance.random() < 0.5:
        with suppress(Rejected):
            made.draw(accept=True)
    for seat in made.state.persons:
        if not made.over:
            with suppress(Rejected):
                made.resign(seat)
