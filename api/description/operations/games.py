"""Games: the lobby, views and moves."""

from collections.abc import Mapping

from api.description.answers import lists, tables, views
from api.description.answers.fields import REFERENCES
from api.description.model import Content, DescribedAnswer, JsonSchema, Operation, json_answer
from api.description.problem_groups import COMMAND, GAME, OPENING, REFUSED_MOVES, REMATCH, WAIT
from api.play.services.game_schemas import NewGame
from api.tables.services.schemas import RematchGame
from api.web.responses import JSON

MOVE_BODY: JsonSchema = {"$ref": REFERENCES + "MoveBody"}
NOT_MODIFIED = DescribedAnswer(304, "The ETag is still that of If-None-Match.", headers=("ETag",))
MADE = ("ETag", "Location", "Trickbook-Position")
OPENED = DescribedAnswer(
    201,
    "A game that has started, or a table that forms.",
    (Content(JSON, (views.OpenedGameSchema, tables.TableSchema)),),
    MADE,
)

OPERATIONS: Mapping[str, Operation] = {
    "variants.list_variants": Operation("the games that the server offers", (json_answer(lists.VariantsSchema),)),
    "opening.open_game": Operation(
        "open a game: it starts at once, or its table forms until everybody has agreed",
        (OPENED,),
        token="needed",
        bodies=(NewGame, RematchGame),
        example={"variant": "pitch", "options": {"win": 7}, "seats": ["ann", "bob", "bot:simple"], "reveal": "hand"},
        problems=(*GAME, *OPENING, *REMATCH),
        asks=("Idempotency-Key",),
    ),
    "lists.lobby": Operation(
        "the lobby; with `status=forming` the tables that wait for players",
        (json_answer((lists.LobbySchema, tables.TablePageSchema), "Trickbook-Position"),),
        problems=WAIT,
    ),
    "games.public_view": Operation(
        "the view of a spectator, or the table while it forms",
        (json_answer((views.NamedViewSchema, tables.TableSchema), "ETag"), NOT_MODIFIED),
        problems=GAME,
        asks=("If-None-Match",),
    ),
    "games.seat_view": Operation(
        "the view of your seat, with your legal moves",
        (json_answer(views.SeatViewSchema, "ETag"), NOT_MODIFIED),
        token="needed",
        problems=GAME,
        asks=("If-None-Match",),
    ),
    "games.move": Operation(
        "move",
        (json_answer(views.CommandResultSchema, "ETag", "Trickbook-Position", status=201),),
        token="needed",
        bodies=(MOVE_BODY,),
        example={"type": "play", "card": "AD"},
        problems=(*GAME, *COMMAND, *REFUSED_MOVES, "forming"),
        asks=("Idempotency-Key", "If-Match"),
    ),
    "lists.game_scoreboard": Operation(
        "the hands, with a line for each seat",
        (json_answer(lists.ScoreboardSchema, "Trickbook-Position"),),
        problems=(*GAME, *WAIT),
    ),
}
