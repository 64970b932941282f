"""How strong bots chose in a revealed hand, and hints at a table of practice. Nothing is stored."""

from typing import Annotated

from flask import Response

from api.budgets import charge_for_thoughts
from api.evidence.routes.queries import GAME_PATH, query_response
from api.evidence.services.histories import visible_history
from api.evidence.services.schemas import CHOICES_QUERY
from api.people.stored.token_scopes import READ
from api.play.routes.games import HAND_PATH
from api.play.services.game_reader import NO_HAND
from api.play.services.games import require_present_seat, visible_game
from api.play.services.strong_bots import think_for_person
from api.problem import Problem
from api.web.context import current_caller, current_services, require_player
from api.web.problem_groups import GAME, READING
from api.web.responses import json_response
from api.web.route import TaggedBlueprint, or_text, query_args, route
from domain.json_fields import says
from domain.rules.choices import Undo
from projections.bots import WORLDS
from replay.history import NoSuchHand
from replay.history.steps import NotShown
from replay.queries import choices
from replay.queries.choices import ChoiceAnalysis, StrongChoices, count_choices, options_json

bot_choices = TaggedBlueprint("bot_choices", __name__, "questions")


class Hint(ChoiceAnalysis):
    """What the strong bot would do."""

    seat: int
    version: Annotated[int, says("The version of the view that it looked at.")]


@bot_choices.get(HAND_PATH + "/choices")
@route(
    "how its strong bots chose, worked out again",
    answer=or_text(StrongChoices),
    query=CHOICES_QUERY,
    problems=(*READING, "not-revealed"),
    lane="heavy",
    passes=2,
    reads=1,
)
def hand_choices(reference: str, hand: int) -> Response:
    """Return 200: how the strong bots of a revealed hand chose, or only at event `at`; 409 before it's revealed."""
    history, at = (
        visible_history(current_services(), visible_game(current_services(), current_caller(), reference)),
        query_args()["at"],
    )
    charge_for_thoughts(current_services(), current_caller(), count_choices(history, hand, at))
    try:
        answer = choices(history, hand, at)
    except (NoSuchHand, NotShown):
        raise Problem("not-found", NO_HAND.format(hand)) from None
    if answer.waits:
        raise Problem("not-revealed", f"{answer.waits[0].capitalize()}. Ask again when the hand is over.")
    return query_response(answer)


@bot_choices.get(GAME_PATH + "/hint")
@route(
    "what the strong bot would do in your place, at a table of practice",
    answer=Hint,
    token="needed",
    problems=(*GAME, "no-hints", "not-seated", "conflict"),
    lane="heavy",
)
def hint(reference: str) -> Response:
    """Return 200: what the strong bot would do in the caller's place; 409 at any table but one of practice."""
    services, player = current_services(), require_player(READ)
    game, seat = require_present_seat(current_services(), reference, player)
    state = services.games.state(game)
    if state.opened is None or state.opened.undo != Undo.PRACTICE:
        raise Problem("no-hints", "This game isn't played for practice.")
    if state.hand is None or state.hand.over:
        raise Problem("conflict", "No hand is being played. Ask when it's your turn.")
    charge_for_thoughts(services, current_caller(), 1)
    try:
        thought = think_for_person(services, state, seat, WORLDS)
    except LookupError:
        raise Problem("conflict", "You have nothing to choose now. Ask when it's your turn.") from None
    if thought is None:
        raise Problem("conflict", "The game has gone on. Ask again.")
    shown: Hint = {"version": state.version, "seat": seat, **options_json(thought)}
    return json_response(shown)
