"""The campaign: each story is served once, and once more for each viewer with other facts that they may not know."""

import random
import re
import secrets
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from domain.state import State
from tests.api.worlds import OFFERS, command_of, facts_if_legal, harmless_move, state_of, time_after
from tests.campaigns.worlds.asking import (
    ERASE,
    SHOW_MORE,
    WRITE_FACTS,
    Request,
    Told,
    answer_to,
    reads,
    values_of,
    writes,
)
from tests.campaigns.worlds.forming import FormingWorld, forming_requests, other_plan, place_of, random_plan
from tests.campaigns.worlds.office import Office, Person, make_office, stopped_clock
from tests.campaigns.worlds.served import Server
from tests.campaigns.worlds.sight import Setup, Sight, other_setup, random_chat, sight_of
from tests.campaigns.worlds.stories import VARIANTS, Story, random_story
from tests.given import AT
from tests.plugins.chance import seeded_randomness

OFTEN_READ, OTHERS_READ, REFUSED, WRITES = 5, 4, 3, 8
"""How many reads of each kind, refused moves and, after all others, writes a viewer sends."""
VIEWERS, PERMUTED = 4, 2
"""How many viewers of each story ask, and in how many worlds besides the story's own."""
NUMBERS = re.compile(r"(?<=/)(?:[0-9a-f]{32}|\d+|[im]_[0-9a-f]+)(?=/|$)")
"""The parts in which addresses of one route differ."""
Tick = Callable[[int], object]
"""Hears how many worlds have been compared."""
MOVES = "/games/1/moves"
NOBODY = Person("nobody", "", "")
SEED = "1"


@dataclass
class Tally:
    """The number of comparisons, and each difference that a viewer could see."""

    worlds: int = 0
    requests: int = 0
    alike: int = 0
    by: dict[str, Counter[str]] = field(default_factory=dict)
    routes: dict[str, Counter[int]] = field(default_factory=dict)
    """The statuses of each kind of request."""
    differences: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return what to print."""
        statuses = sum(self.routes.values(), Counter[int]())
        counted: dict[str, Counter[Any]] = {**self.by, "status": statuses}
        by = [
            f"by {kind}: {', '.join(f'{each} {n}' for each, n in counts.most_common())}"
            for kind, counts in counted.items()
        ]
        return [f"{self.requests} requests of {len(self.routes)} kinds", *by]

    def count(self, **kinds: str) -> None:
        """Count one world by each of these kinds."""
        self.worlds += 1
        for name, value in kinds.items():
            self.by.setdefault(name, Counter())[value] += 1

    def compare(self, where: str, request: Request, one: Told, two: Told) -> None:
        """Count a request, and note it if its answers differ."""
        self.requests += 1
        route = f"{request[0]} {NUMBERS.sub('#', request[1].split('?')[0])}"
        self.routes.setdefault(route, Counter())[one[0]] += 1
        self.alike += one == two
        if one != two:
            self.differences.append(f"{where}: {' '.join(map(str, request))}\n  {excerpts(one, two)}")


def excerpts(one: Told, two: Told) -> str:
    """Return where two answers differ first, with what is around it."""
    texts = [f"{status} {headers} {content.decode(errors='replace')}" for status, headers, content in (one, two)]
    at = next((at for at, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), min(map(len, texts)))
    return "\n  ".join(text[max(0, at - 100) : at + 160] for text in texts)


@dataclass(frozen=True)
class Stage:
    """Two servers, of the world as it is and of the other one, and the accounts they share."""

    office: Office
    server: Server
    other: Server


@contextmanager
def open_stage() -> Iterator[Stage]:
    """Open two servers in memory, at a time that stands still."""
    with tempfile.TemporaryDirectory(dir=_memory()) as name:
        folder = Path(name)
        with seeded_randomness("office"):
            office = make_office(folder / "office")
        with stopped_clock(office.moment):
            servers = [Server(office, folder / each) for each in ("one", "two")]
            yield Stage(office, *servers)
            for server in servers:
                server.close()
        shutil.rmtree(folder / "office")


def _memory() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def run_campaign(
    stage: Stage, worlds: int, seed: str = SEED, *, until_found: bool = False, tick: Tick = lambda _: None
) -> Tally:
    """Compare `worlds` worlds, of each variant in turn, with the world that they are permuted from.

    With `until_found`, stop after the first story with a difference.
    """
    tally, number = Tally(), 0
    while tally.worlds < worlds and not (until_found and tally.differences):
        _compare_story(stage, f"{seed} {number}", list(VARIANTS)[number % len(VARIANTS)], tally, worlds)
        number += 1
        tick(tally.worlds)
    return tally


def _compare_story(stage: Stage, seed: str, variant: str, tally: Tally, worlds: int) -> None:
    chance, office = random.Random(seed), stage.office
    story = random_story(seed, variant, office.players)
    events = story.events()
    watchers = [office.people[name].id for name in ("eve", "guest")] if story.watch.public else []
    offered_to = office.people["ivy"].id if chance.random() < 0.5 else None
    setup = Setup(events, random_chat(events, watchers, chance), offered_to)
    now = time_after(events[-1].at, 600)
    stage.server.put(setup, now)
    people = list(cast_of(office, state_of(events), chance))
    for number, person in enumerate(people):
        sight = sight_of(story, setup, person.id or None, person.role)
        state = state_of(events[: sight.head])
        asked = requests_of(stage.server, person, sight, state, now, chance, is_last=number == len(people) - 1)
        stage.server.clock.restart()
        answers = [_answer(stage.server, person, request) for request in asked]
        for copy in range(PERMUTED):
            drawn = random.Random(f"{seed} {number} {copy}")
            stage.other.put(other_setup(story, setup, sight, drawn, moves=number == len(people) - 1), now)
            tally.count(**_kinds_of(story, person, sight, state))
            for request, answer in zip(asked, answers, strict=True):
                where = f"story {seed} {variant}, {person.name} as {sight.kind}"
                tally.compare(where, request, answer, _answer(stage.other, person, request))
            if tally.worlds == worlds:
                return


def run_forming(
    stage: Stage, worlds: int, seed: str = SEED, *, until_found: bool = False, tick: Tick = lambda _: None
) -> Tally:
    """Compare `worlds` tables that form with the ones that they are varied from, as `run_campaign` does."""
    tally, number, office = Tally(), 0, stage.office
    here, there = (FormingWorld(office, server) for server in (stage.server, stage.other))
    while tally.worlds < worlds and not (until_found and tally.differences):
        tick(tally.worlds)
        chance = random.Random(f"forming {seed} {number}")
        plan, number = random_plan(chance), number + 1
        here.put(plan, AT)
        viewers = [NOBODY, *office.people.values()]
        people = [office.people["p0"], *chance.sample(viewers, VIEWERS)]
        for each, person in enumerate(people):
            there.put(other_plan(plan, person, chance), AT)
            place = place_of(plan, person)
            tally.count(viewer=f"{place} before the deal", watch="public" if plan.is_public else "private")
            stage.server.clock.restart()
            for request in forming_requests(stage.server, place, chance, is_last=each == len(people) - 1):
                one, two = (_answer(server, person, request) for server in (stage.server, stage.other))
                tally.compare(f"{person.name}, {place} of {plan}", request, one, two)
    return tally


def _answer(server: Server, person: Person, request: Request) -> Told:
    with seeded_randomness(str(request)):
        return answer_to(server.app, person.token or None, request)


def _kinds_of(story: Story, person: Person, sight: Sight, state: State) -> dict[str, str]:
    """Return the kinds by which a world is counted."""
    player = "player" if isinstance(sight.viewer, int) else "leaver" if "former" in sight.kind else person.name
    phase = "before the first deal" if state.hand is None else state.phase.name.lower()
    return {
        "variant": story.variant,
        "watch": ("public" if story.watch.public else "private") + (", late" if story.watch.delay else ""),
        "viewer": sight.kind,
        "person": player,
        "phase": "not known" if sight.is_absent else "over" if state.result is not None else phase,
        "seats": "handed over" if story.is_lent else "as dealt",
    }


def cast_of(office: Office, state: State, chance: random.Random) -> Sequence[Person]:
    """Return some viewers: more often those with a seat, now or once."""
    by_id = {person.id: person for person in office.people.values() if person.name != "court"}
    seated = [by_id[seat.player] for seat in state.seats]
    left = [by_id[past.player] for seat in state.seats for past in seat.earlier]
    others = [office.people[name] for name in ("eve", "guest", "mod", "court", "arb", "ivy", "p4")]
    chosen = [*chance.sample(seated, 1), *left, *chance.sample([NOBODY, *others], VIEWERS - 1 - len(left))]
    return chance.sample(chosen, len(chosen))


def requests_of(
    server: Server, person: Person, sight: Sight, state: State, now: str, chance: random.Random, *, is_last: bool
) -> list[Request]:
    """Return what the viewer asks: reads, moves that are refused, and at last some that change something."""
    seat = sight.viewer if isinstance(sight.viewer, int) else None
    hand = max(1, (state.hand.number if state.hand is not None else 1) - chance.randrange(2))
    shown = chance.randrange(len(state.seats) + 1) if seat is None or chance.random() < 0.3 else seat
    values = values_of(max(1, sight.head), shown if not sight.is_absent else 1, hand, _message(chance))
    asked = list(reads(server.app, values, chance, OFTEN_READ, OTHERS_READ))
    offers = chance.sample(OFFERS, REFUSED)
    asked += [("POST", MOVES, offer, {}) for offer in offers if _is_refused(state, seat, offer, now)]
    if not is_last:
        return asked
    draws = state.opened is not None and state.rules.changes.randomizer is not None
    left_out = (*SHOW_MORE, *WRITE_FACTS) if draws else SHOW_MORE
    asked += writes(server.app, values, chance, WRITES, *left_out, *(ERASE if person.name == "court" else ()))
    if seat is not None and (move := harmless_move(state, seat)) is not None:
        asked.append(("POST", MOVES, move, {"Idempotency-Key": "k"}))
    return asked + list(reads(server.app, values, chance, 3, 0))


def _is_refused(state: State, seat: int | None, offer: dict[str, Any], now: str) -> bool:
    command = None if seat is None else command_of(offer, seat, now)
    return command is None or facts_if_legal(state, command) is None


def _message(chance: random.Random) -> str:
    """Return the id of a message of the chat, if it has that many."""
    with seeded_randomness(f"message {chance.randrange(7)}"):
        return "m_" + secrets.token_hex(12)
