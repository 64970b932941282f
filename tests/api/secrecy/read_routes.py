"""Addresses that the secrecy tests read: one or more for each GET route of the app, taken from its `url_map`."""

import re
from collections.abc import Iterator, Mapping, Sequence

from flask import Flask

API = "/api/v1"
GAME = "/games/<game_ref:reference>"
HAND = GAME + "/hands/<strictint:hand>"

SHOWS_NO_GAME: dict[str, str] = {
    "/": "fixed links to other addresses",
    "/.well-known/trickbook/keys": "public keys of the server",
    "/docs": "a file of the repository",
    "/docs/<file>": "files of the repository and of a library",
    "/openapi.json": "the description of the routes",
    "/openapi-3.1.json": "the description of the routes",
    "/health/live": "a constant",
    "/health/ready": "the state of the stores, and how far the lists are behind the log",
    "/metrics": "counts over all games, for the host",
    "/problems/<slug>": "a fixed text for each type of problem",
    "/static/<file>": "files of the repository",
    "/verify": "a file of the repository",
    "/app": "a page",
    "/join": "a page",
    "/manifest.webmanifest": "names of files",
    "/new": "a page",
    "/offline": "a page",
    "/players/<name>": "a page, the same for every name",
    f"{GAME}/text": "a page",
    "/standings": "a page, and sums over finished games",
    "/players/<name>/standings": "sums over finished games",
    "/players/<name>/history": "results of finished games; see tests/api/games/test_standings.py",
    "/players/<name>/against/<opponent>": "sums over finished games",
    "/ratings": "sums over finished games that everybody may see",
    "/ratings/changes": "sums over finished games that everybody may see",
    "/players/<name>/ratings": "results of finished games that everybody may see; see tests/api/games/test_ratings.py",
    "/embed/games/<game_ref:reference>/hands/<strictint:hand>": "a page, the same for every hand",
    "/mail/unsubscribe/<key>": "a page, the same for every key",
    "/recover": "a page",
    "/first-hand": "a page",
    "/house-rules": "a page",
    "/contact": "a page with the server's settings",
    "/privacy": "a page with the server's settings",
    "/rules": "the rule sheets of the repository",
    "/rules/<sheet>": "a rule sheet of the repository",
    "/session": "the caller's own name and the server's settings",
    "/sign-in": "a page",
    "/sign-up": "a page",
    "/static/<version>/<folder>/<asset>": "files of the repository",
    "/worker.js": "names of files",
    "/me": "the caller's account",
    "/me/events": "ids, kinds and numbers of what happened in the caller's games; see projections/lists/test_inbox.py",
    "/me/hours": "the caller's own setting",
    "/me/export": "the caller's account and texts, and the ids, boards and seats of the caller's games",
    "/me/tokens": "the caller's tokens",
    "/me/webhooks": "the caller's webhooks",
    "/rulebooks": "rules, beside all games",
    "/rulebooks/choices": "the same for everybody",
    "/rulebooks/<address>": "rules, beside all games",
    "/rulebooks/<address>/game": "a game that the server played by itself",
    "/me/rulebooks": "the caller's rulebooks",
    "/variants": "the variants that the code knows",
    f"{GAME}/invitations": "links to a table before the deal",
    "/invitations/<token>": "a table before the deal, which has no cards",
    "/me/questions": "tables before the deal, which have no cards",
    "/me/seating": "the caller's own setting",
    "/me/blocks": "the caller's blocks",
    "/messages": "texts between players, beside all games; tests/conduct/test_messages.py reads it",
    "/me/reports": "the caller's reports of conduct",
    "/me/standing": "the steps of moderators against the caller",
    "/moderation/appeals": "appeals against steps of moderators",
    "/moderation/log": "the log of moderators, beside all games",
    "/moderation/reports": "reports of conduct, beside all games",
    "/games/<game_ref:reference>/chat": "texts beside the log; tests/conduct/test_chat.py reads it",
}
"""GET routes that can't show anything of a game, with the reason."""


def get_rules(app: Flask) -> list[str]:
    """Return the rules of all routes that answer GET, without the prefix of the API."""
    rules = [rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    return [rule.removeprefix(API) for rule in rules]


def addresses(
    app: Flask, queries: Mapping[str, Sequence[str]], reasons: Mapping[str, str], **values: object
) -> Iterator[str]:
    """Yield the addresses to read: each rule in `queries` with each of its query strings, `{names}` filled in.

    Fails if a GET route of the app isn't classified: add it to `queries`, or to `reasons` if it shows nothing secret.
    """
    unclassified = set(get_rules(app)) ^ (queries.keys() | reasons.keys())
    assert not unclassified, unclassified
    for rule in get_rules(app):
        path = re.sub("<(?:[a-z_]+:)?([a-z]+)>", r"{\1}", rule)
        yield from (path.format(**values) + query.format(**values) for query in queries.get(rule, ()))
