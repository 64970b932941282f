"""Carries out a line: line -> request -> answer. RUNS says which function carries out a request."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from api.caller import NEEDS_TOKEN
from api.lines import requests
from api.lines.catalog import parse_line
from api.lines.line_sender import (
    CommandAnswer,
    CommandRefusal,
    LineSender,
    ServerFailure,
    part_key,
    refusal,
    refusal_text,
    telling,
)
from api.lines.requests import CommandRequest
from api.lines.run import lists, people, play, questions, tables
from api.lines.run.play import NEEDS_CALLER
from api.lines.words import NotACommand
from api.people.stored.tokens import MODERATE, PLAY
from domain.rules.variants import KNOWN

MAX_LINES = 10
"""The most lines of `multiple`."""
Run = Callable[[LineSender, Any, Sequence[str], str | None], CommandAnswer]
"""Takes the caller, the request, the lines of the text below the command, and the Idempotency-Key."""
RUNS: Mapping[type[CommandRequest], Run] = {
    requests.Help: people.help_,
    requests.Signup: people.sign_up,
    requests.SetAddress: people.set_address,
    requests.ConfirmAddress: people.confirm_address,
    requests.ChangePassword: people.change_password,
    requests.Delete: people.delete,
    requests.ChangeSetting: people.change_setting,
    requests.Message: tables.message,
    requests.Broadcast: tables.broadcast,
    requests.ListGames: lists.list_games,
    requests.ListBoards: lists.games,
    requests.Challenge: tables.challenge,
    requests.Join: tables.join,
    requests.LeaveTable: tables.leave,
    requests.CancelTable: tables.cancel,
    requests.Move: play.move,
    requests.Preview: play.preview,
    requests.Queue: play.queue,
    requests.Submit: play.submit,
    requests.Confirm: play.confirm,
    requests.ChatLine: tables.chat,
    requests.Show: lists.show,
    requests.PrintStandings: lists.standings,
    requests.PrintRatings: lists.ratings,
    requests.PrintHistory: lists.history,
    requests.ShowHand: questions.hand,
    requests.PrintTranscript: questions.transcript,
    requests.Audit: questions.audit,
    requests.DisputeHand: questions.dispute,
    requests.RuleOnDispute: questions.rule,
}
NO_LOGIN_NEEDED = (requests.Signup,)
NO_PLACE_FOR_MULTIPLE = "multiple can't stand below another command."


def run_lines(sender: LineSender, line: str, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Return the answer to a line and the text below it. Raise ServerFailure if the server can't answer at the moment.

    A password in one line of `multiple` doesn't count for the next. `key` is the Idempotency-Key of the whole.
    """
    try:
        request, name = _parse(sender, line)
    except NotACommand as error:
        return _not_a_command(error)
    if not isinstance(request, requests.Multiple):
        return _run(sender, name, request, text, key)
    if len(text) > MAX_LINES:
        return _not_a_command(NotACommand(f"multiple carries out at most {MAX_LINES} lines."))
    answers: list[CommandAnswer] = []
    for at, each in enumerate(text):
        try:
            answers.append(_run_one(sender.another(), each, part_key(key, at)))
        except ServerFailure as failed:
            if not answers:
                raise
            problem = failed.problem.body  # what the lines before have done must be told
            answers.append(CommandAnswer("", refusal_text(problem), problem=problem))
    parts = [
        f"> {each}\n{answer.to_text()}" for each, answer in zip(map(_without_password, text), answers, strict=True)
    ]
    return CommandAnswer(
        name, "\n\n".join(parts) or "There are no lines.", {"items": [each.to_json() for each in answers]}
    )


def _run_one(sender: LineSender, line: str, key: str | None) -> CommandAnswer:
    try:
        request, name = _parse(sender, line)
    except NotACommand as error:
        return _not_a_command(error)
    if isinstance(request, requests.Multiple):
        return _not_a_command(NotACommand(NO_PLACE_FOR_MULTIPLE))
    return _run(sender, name, request, (), key)


def _parse(sender: LineSender, line: str) -> tuple[CommandRequest, str]:
    command, request = parse_line(line, None if sender.player is None else sender.player.name)
    return request, command.name


def _without_password(line: str) -> str:
    """Return the words of a line that can't be a password, to name the line in the answer to `multiple`."""
    words = line.split()
    named = 2 if words and words[0].lower() in KNOWN else 1
    return " ".join(words[:named]) + (" ..." if len(words) > named else "")


def _not_a_command(error: NotACommand) -> CommandAnswer:
    refused = refusal("malformed", 400, "Not a command", str(error))
    return CommandAnswer("", str(error), problem=refused.problem.body)


def _run(sender: LineSender, name: str, request: CommandRequest, text: Sequence[str], key: str | None) -> CommandAnswer:
    try:
        with telling():
            if request.login is not None and not isinstance(request, NO_LOGIN_NEEDED):
                sender.sign_in(request.login, MODERATE if isinstance(request, requests.Broadcast) else PLAY)
            answer = RUNS[type(request)](sender, request, text, None if key is None else key[:255])
    except CommandRefusal as refused:
        problem = _named(sender, refused.problem.body)
        answer = CommandAnswer(name, refusal_text(problem), problem=problem)
    return _with_notices(sender, answer)


def _named(sender: LineSender, problem: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a problem, which for a stranger also says how a line names its writer."""
    if sender.player is not None or problem.get("detail") != NEEDS_TOKEN:
        return problem
    return {**problem, "detail": NEEDS_CALLER}


def _with_notices(sender: LineSender, answer: CommandAnswer) -> CommandAnswer:
    """Return the answer with what happened to the caller's queued moves, which nobody else is told."""
    notices = play.dropped_notices(sender)
    return answer if not notices else CommandAnswer(**{**vars(answer), "notices": notices})
