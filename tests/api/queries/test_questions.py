"""Each question over HTTP gives the answer that its command computes from the caller's own export."""

import json
from collections.abc import Callable
from urllib.parse import quote

from api.evidence.services.questions import with_clauses
from replay.history import History, read_export
from replay.queries import Answer, deal, draws, event_visibility, legal_at, list_commits, revokes, score, turn_times
from replay.queries.answer import QuestionAnswer
from replay.text.terminal import plain_text
from tests.api.conftest import Caller
from tests.api.queries.test_bytes import Live

QUESTIONS: dict[str, Callable[[History], Answer[QuestionAnswer]]] = {
    "revokes": revokes,
    "draws": draws,
    "score": score,
    "clock": turn_times,
    "sight": event_visibility,
    "commits": list_commits,
    "hands/1/deal": lambda history: deal(history, 1),
    "revokes?hand=1": lambda history: revokes(history, 1),
    "draws?hand=1": lambda history: draws(history, 1),
    "score?hand=1": lambda history: score(history, 1),
    "clock?hand=1": lambda history: turn_times(history, 1),
    "sight?hand=1": lambda history: event_visibility(history, 1),
    "commits?from=5&to=9": lambda history: list_commits(history, 5, 9),
}


def get_history(who: Caller, path: str) -> History:
    """Return the game as `who` may see it."""
    return read_export(who.get(f"{path}/export").data)


def test_each_question_is_answered_from_the_callers_export(live: Live) -> None:
    first, _ = live.people
    for who in (live.stranger, live.people[first]):
        history = get_history(who, live.path)
        for path, ask in QUESTIONS.items():
            answer = who.get(f"{live.path}/{path}")
            told = ask(history)
            assert (answer.status_code, answer.get_json()) == (200, json.loads(json.dumps(told.to_json()))), path
            text = who.get(f"{live.path}/{path}", Accept="text/plain")
            assert (text.content_type, text.text) == ("text/plain; charset=utf-8", plain_text(told.to_text()))
    live.ends()
    for path, ask in QUESTIONS.items():
        answer = live.stranger.get(f"{live.path}/{path}").get_json()
        assert answer == json.loads(json.dumps(ask(get_history(live.stranger, live.path)).to_json()))
        assert answer["code"] == 0


def test_legal_moves_are_shown_with_the_clauses_against_a_move(live: Live) -> None:
    first, _ = live.people
    own = live.people[first]
    for move in ("ad", json.dumps({"type": "play", "card": "AD"}), "pass", "3"):
        answer = own.get(f"{live.path}/legal?move={quote(move)}")
        history = get_history(own, live.path)
        tried = json.loads(move) if move.startswith("{") else move
        assert answer.get_json() == json.loads(
            json.dumps(with_clauses(legal_at(history, first, None, tried)).to_json())
        )
        assert answer.get_json()["seat"] == first
    past = own.get(f"{live.path}/legal?at=20&move=99").get_json()
    assert past["at"] == 20
    assert past["tried"]["legal"] is False


def test_a_root_is_compared_with_the_stored_history(live: Live) -> None:
    kept = next(each for each in live.shown if each.viewer is None)
    root = json.loads(kept.body)["root"]
    same = live.stranger.get(f"{live.path}/compare?size={kept.version}&root={root}").get_json()
    assert (same["became"], same["code"], same["ours"]) == ("same", 0, root)
    for query in (f"size={kept.version + 1}&root={root}", f"root={root}", f"size=99999&root={root}"):
        other = live.stranger.get(f"{live.path}/compare?{query}").get_json()
        assert (other["became"], other["code"]) == ("two", 1)
        assert "another history" in other["findings"][0]["says"]
    text = live.stranger.get(f"{live.path}/compare?size={kept.version}&root={root}", Accept="text/plain").text
    assert "the same history" in text
