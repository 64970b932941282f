"""A generated client plays a whole game of each variant against a real server."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from api.config import Config
from api.config.limits import NO_LIMITS
from domain.rules.variants import VARIANTS
from tests.api.thread_server import serve_in_thread
from tests.openapi.generated_client import GeneratedClient, generate, importable
from tests.step_limit import steps
from tests.waiting import wait_for

OPTIONS: dict[str, dict[str, Any]] = {
    "pitch": {"win": 7},
    "corellian": {"randomizer": {"when": [1, 8], "end": [1, 40]}},
}
"""Options with which a game is short; other variants have none."""
MOVES = 6
"""How many moves a player makes at least. If a session of Corellian Pitch ends earlier, the next one counts."""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    data = tmp_path_factory.mktemp("data")
    with serve_in_thread(Config(data=data, hashing="cheapest", limits=NO_LIMITS, seating="at-once")) as server:
        yield server.url


@pytest.fixture(scope="module")
def client(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GeneratedClient]:
    """A client made from the description that the server sends. The generator has no warning about it."""
    folder = tmp_path_factory.mktemp("generated")
    generate(folder, httpx.get(f"{url}/openapi-3.1.json", timeout=120).json())
    with importable(folder) as made:
        yield made


class Player:
    """A guest at a server, who knows the game only by the models of the client."""

    def __init__(self, client: GeneratedClient, url: str) -> None:
        self.client, self.models = client, client.models
        guest = client.call("people.guests_create", client=client.connect(url), body=self.models.NoFields())
        self.name: str = guest.name
        self.connection = client.connect(url, guest.token)

    def ask(self, operation: str, *arguments: Any, **more: Any) -> Any:
        """Send a request, and return the response; a problem fails the test."""
        answer = self.client.call(operation, *arguments, client=self.connection, **more)
        assert answer is not None, operation
        assert not isinstance(answer, self.models.ProblemBody), answer
        return answer

    def open(self, variant: str, bots: int) -> Any:
        """Open a game with bots."""
        options = self.models.NewGameOptions.from_dict(OPTIONS.get(variant, {}))
        seats = [self.name, *["bot:simple"] * bots]
        return self.ask(
            "games.opening_open_game", body=self.models.NewGame(variant=variant, seats=seats, options=options)
        )

    def play(self, variant: str, bots: int) -> tuple[str, int]:
        """Play a game to its end, and return its id and how many moves that took."""
        opened, moves, spent = self.open(variant, bots), 0, steps(2000)
        game, seat = str(opened.id), opened.view.you.seat
        while (view := self.turn(game, seat)).status != "finished":
            next(spent)
            played = self.ask("games.games_move", game, body=self.move(view))
            assert played.version > view.version
            moves += 1
        assert view.result is not None
        return game, moves

    def turn(self, game: str, seat: int) -> Any:
        """Return the view of the seat once it's its turn, or once the game is over."""
        for _ in steps(100):
            view = self.ask("games.games_seat_view", game, seat)
            if view.status == "finished" or seat in view.turn.seats:
                return view
            self.ask("log.events_list_events", game, after=view.version, wait=25)
        raise AssertionError("unreachable")

    def scoreboard(self, game: str) -> Any:
        """Return the scoreboard once it has the result: it follows the log with a short delay."""
        return wait_for(lambda: self.ask("games.lists_game_scoreboard", game), lambda board: board.result)

    def move(self, view: Any) -> Any:
        """Return a move: the first that's listed, or cards that may be discarded."""
        if view.you.legal:
            return view.you.legal[0]
        choice = view.you.choose
        if isinstance(choice, self.models.CallChoice):
            return self.models.MoveCallPartner(type_="call_partner", card="AS")
        rest = [card for card in choice.from_ if card not in choice.must]
        cards = [*choice.must, *rest][: max(choice.min_, len(choice.must))]
        return self.models.MoveDiscard(type_="discard", cards=cards)


@pytest.mark.parametrize(
    "variant", [pytest.param(each, marks=() if each == "pitch" else pytest.mark.slow) for each in VARIANTS]
)
def test_a_generated_client_plays_a_whole_game(client: GeneratedClient, url: str, variant: str) -> None:
    ann = Player(client, url)
    bots = min(VARIANTS[variant].rules.seats, key=lambda seats: abs(seats - 4)) - 1
    games = (ann.play(variant, bots) for _ in steps(30))
    game = next(game for game, moves in games if moves >= MOVES)
    board = ann.scoreboard(game)
    assert board.totals
    verdict = ann.ask("questions.audits_game_audit", game).verdict
    assert (verdict.code, verdict.findings) == (0, 0)


def test_a_generated_client_reads_a_refusal_with_the_moves_that_are_legal(client: GeneratedClient, url: str) -> None:
    ann = Player(client, url)
    opened = ann.open("pitch", bots=1)
    view = ann.turn(str(opened.id), 0)
    bid = ann.models.MoveBid(type_="bid", bid=99)
    refusal = client.call("games.games_move", str(opened.id), client=ann.connection, body=bid)
    assert isinstance(refusal, ann.models.ProblemBody)
    assert (refusal.status, refusal.type_) == (409, "/problems/not-a-bid")
    assert [move.to_dict() for move in refusal.legal] == [move.to_dict() for move in view.you.legal]
