"""A well-formed request to each route: what it's about, its body and its query."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from werkzeug.routing import Rule

from api.app import API
from tests.api.conftest import PASSWORD
from tests.rights.things import RULING

Body = Mapping[str, Any]


@dataclass(frozen=True)
class RouteRequest:
    """A request about a kind of thing that `Things` makes. `$code` in the body or the query stands for a value of it.

    `ends` says that it ends tokens or accounts, so that the caller logs in again; `keeps`, that another caller can send
    the same about the same thing afterwards. Guests, who have no password, may have a body of their own.
    """

    about: str = "nothing"
    body: Body | None = None
    query: str = ""
    ends: bool = False
    keeps: bool = False
    of_guest: Body | None = None


def about(what: str, body: Body | None = None, query: str = "", *, keeps: bool = False) -> RouteRequest:
    """Return a request about something."""
    return RouteRequest(what, body, query, keeps=keeps)


NEW_PASSWORD = "violet-otter-lantern"
WITH_PASSWORD = {"password": PASSWORD}
NAMED = {"name": "$name", **WITH_PASSWORD}
RECOVERY = {"name": "$name", "code": "$code", "new_password": PASSWORD}
HOURS = {"zone": "UTC", "night": {"start": "22:00", "end": "07:00"}, "weekends": False, "vacation": []}
OF_FORMING = (
    "forming.cancel", "forming.leave", "invitations.invited_table", "invitations.list_invitations",
    "invitations.revoke",
)  # fmt: skip
"""About a table that forms, without a body."""
REQUESTS: Mapping[str, RouteRequest] = {
    **dict.fromkeys(OF_FORMING, RouteRequest("forming")),
    "description.asset": RouteRequest("docs"),
    "lists.game_scoreboard": about("listed"),
    "queries.legal_moves": about("table", query="?seat=$seat"),
    "standings.list_standings": RouteRequest(query="?variant=pitch"),
    "ratings.list_ratings": RouteRequest(query="?variant=pitch&kind=two"),
    "ratings.list_changes": RouteRequest(query="?variant=pitch"),
    "queries.compare_root": about("table", query="?size=3&root=" + "0" * 64),
    "proofs.consistency_proof": about("table", query="?first=3"),
    "proofs.inclusion_proof": about("table", query="?version=3"),
    "bot_choices.hand_choices": about("over"),
    "bot_choices.hint": about("practice"),
    "proofs.receipt": about("receipt"),
    "proofs.make_receipt": about("table", {}, keeps=True),
    "proofs.add_cosignatures": about("receipt", {"size": "$size", "lines": ["$line"]}, keeps=True),
    "branches.play_branch": about("over", {"at": "$at", "moves": [], "hands": 1}, keeps=True),
    "games.move": about("table", {"type": "resign"}),
    "chat.erase": about("message"),
    "chat.write": about("table", {"text": "Well played."}, keeps=True),
    "commands.run": about("table", {"line": "blackout show $board"}, keeps=True),
    "opening.open_game": RouteRequest(body={"variant": "pitch", "seats": ["bot:simple", "invite"]}),
    "rulebooks.post": RouteRequest(body={"name": "Ours", "from": "pitch"}),
    "rulebooks.show": about("rulebook"),
    "rulebooks.erase": about("rulebook"),
    "rulebooks.game_of_fault": about("rulebook"),
    "opening.rematch": about("over", {}),
    "handovers.ask": about("table", {"to": "asta"}, keeps=True),
    "handovers.accept": about("table", {}),
    "handovers.decline": about("table", {}),
    "handovers.take_back": about("lent", {}),
    "forming.claim": about("forming", {}),
    "forming.start": about("forming", {"bots": "bot:simple"}),
    "invitations.invite": about("forming", {"uses": 1}, keeps=True),
    "disputes.open_dispute": about("table", {"hand": 1, "kind": "revoke", "text": "Seat 1 held a club."}, keeps=True),
    "disputes.answer": about("table", {"text": "I had no club left."}, keeps=True),
    "disputes.withdraw": about("table", {}),
    "disputes.rule": about("table", RULING),
    "disputes.appeal": about("ruled", {"text": "The card was the ten."}),
    "disputes.decide": about("appealed", {"decision": "upheld", "text": "The log shows it."}),
    "reports.report": RouteRequest(body={"about": "mateo", "kind": "abuse", "text": "Insults."}),
    "reports.appeal": about("suspension", {"step": "$step", "text": "It was somebody else."}),
    "moderation.claim": about("report", {}),
    "moderation.rule": about("claimed", {"step": "none", "reason": "Nothing happened."}),
    "moderation.decide": about("step", {"decision": "upheld", "reason": "The message is quoted."}),
    "messages.write": RouteRequest(body={"to": ["mateo"], "text": "A game tonight?"}),
    "messages.broadcast": RouteRequest(body={"text": "The server moves on Sunday."}),
    "guests.create": RouteRequest(body={}),
    "guests.take_name": RouteRequest("name", NAMED, ends=True),
    "users.register": about("name", NAMED),
    "users.log_in": RouteRequest(body={"name": "mateo", **WITH_PASSWORD}),
    "users.log_out": RouteRequest(ends=True),
    "recovery.recover": about("code", RECOVERY),
    "recovery.renew": RouteRequest(body=WITH_PASSWORD),
    "leaving.come_back": about("leaving", NAMED),
    "leaving.leave": RouteRequest(body=WITH_PASSWORD, ends=True, of_guest={}),
    "own_email.set_address": RouteRequest(body={"email": "somebody@example.com"}),
    "own_email.confirm": about("address", {"code": "$code"}),
    "own_mail.set_level": RouteRequest(body={"level": "digest"}),
    "own_mail.unsubscribe": about("link"),
    "mail_links.one_click": about("link"),
    "hours.set_hours": RouteRequest(body=HOURS),
    "seating.set_seating": RouteRequest(body={"at_once": True, "friends": []}),
    "own_tokens.change_password": RouteRequest(body=WITH_PASSWORD | {"new_password": NEW_PASSWORD}, ends=True),
    "own_tokens.end_others": RouteRequest(ends=True),
    "own_tokens.end_token": about("token"),
    "webhooks.add_webhook": RouteRequest(body={"url": "https://bot.cards.net/inbox", "kinds": ["turn"]}),
    "webhooks.remove_webhook": about("webhook"),
    "webhooks.test_webhook": about("webhook", {}),
    "session.log_in": RouteRequest(body={"name": "mateo", **WITH_PASSWORD}),
    "session.log_out": RouteRequest(ends=True),
    "session.begin_as_guest": RouteRequest(body={}),
    "session.recover": about("code", RECOVERY),
    "session.restore": about("leaving", NAMED),
}
"""By endpoint, for routes that need more than `request_to` knows."""


def request_to(rule: Rule) -> RouteRequest:
    """Return the request to a route: without an entry one without a body, about a game in play if it's about a game."""
    of_game = "reference" in rule.arguments and rule.rule.startswith(API)
    return REQUESTS.get(rule.endpoint) or RouteRequest("table" if of_game else "nothing")
