"""Users, tokens, guests and one's own account."""

import secrets
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from api.mail.services.addresses import MailAddresses
from tests.api.conftest import PASSWORD, Caller, services_of
from tests.mail.post_office import newest_code
from tests.openapi.walk.recorder import want
from tests.openapi.walk.scene import Scene, recorder_of

OTHER = "violet-otter-lantern"
WRONG = "wrong-otter-lantern"


def walk(scene: Scene) -> None:
    """Send the requests."""
    _sign_up(scene)
    _guests(scene)
    _passwords(scene)
    _tokens(scene)
    _mail(scene)
    _leave(scene)
    _closed(scene)


def _sign_up(scene: Scene) -> None:
    named = {"name": "ann", "password": PASSWORD}
    want(201, scene.stranger.post("/users", named | {"name": "nora"}))
    want(409, scene.stranger.post("/users", named))
    want(401, scene.stranger.post("/tokens", named | {"password": WRONG}))
    want(403, scene.stranger.post("/tokens", named | {"scope": "moderate"}))
    want(200, scene["ann"].get("/me"))
    want(200, scene["ann"].get("/me/export"))
    hours = {"zone": "UTC", "night": {"start": "22:00", "end": "07:00"}, "weekends": False, "vacation": []}
    want(200, scene["ann"].ask("PUT", "/me/hours", hours))
    want(200, scene["ann"].get("/me/hours"))
    want(200, scene["ann"].ask("PUT", "/me/mail", {"level": "digest"}))
    want(404, scene["ann"].ask("PUT", "/me/mail", {"level": "digest", "game": "999999"}))
    want(404, scene.stranger.post("/mail/unsubscribe/x", None))
    days = [datetime.now(UTC).date() + timedelta(days=days) for days in (30, 57, 90, 117)]
    months = [{"first": str(first), "last": str(last)} for first, last in (days[:2], days[2:])]
    want(409, scene["ann"].ask("PUT", "/me/hours", hours | {"vacation": months}))


def guest(scene: Scene) -> Caller:
    """Return a new guest."""
    return replace(scene.stranger, token=want(201, scene.stranger.post("/guests", {}))["token"])


def _guests(scene: Scene) -> None:
    new = guest(scene)
    for path, body in (("/me/password", {"password": PASSWORD, "new_password": OTHER}),
                       ("/me/recovery-codes", {"password": PASSWORD})):  # fmt: skip
        want(409, new.post(path, body))
    want(409, new.ask("PUT", "/me/email", {"email": "eve@example.com"}))
    want(409, new.ask("DELETE", "/me", {"password": PASSWORD}))
    want(409, new.post("/me/account", {"name": "ann", "password": PASSWORD}))
    want(201, new.post("/me/account", {"name": "guenther", "password": PASSWORD}))


def _passwords(scene: Scene) -> None:
    pat = scene.stranger.join("pat")
    want(401, pat.post("/me/recovery-codes", {"password": WRONG}))
    [code, *_] = want(201, pat.post("/me/recovery-codes", {"password": PASSWORD}))["recovery_codes"]
    recovery = {"name": "pat", "code": code, "new_password": OTHER}
    want(401, scene.stranger.post("/tokens/recovery", recovery | {"code": "abcd-efgh-jkmn-pqrs"}))
    token = want(201, scene.stranger.post("/tokens/recovery", recovery))["token"]
    pat = replace(pat, token=token)
    change = {"password": OTHER, "new_password": PASSWORD}
    want(401, pat.post("/me/password", change | {"password": WRONG}))
    want(200, pat.post("/me/password", change))


def _tokens(scene: Scene) -> None:
    tom = scene.stranger.join("tom")
    body = {"name": "tom", "password": PASSWORD, "label": "my bot", "scope": "read", "days": 30}
    extra = want(201, scene.stranger.post("/tokens", body))
    want(200, tom.get("/me/tokens"))
    want(204, tom.delete(f"/me/tokens/{extra['id']}"))
    want(404, tom.delete("/me/tokens/0a1b2c3d4e5f"))
    want(200, tom.delete("/me/tokens"))
    want(204, tom.delete("/tokens/current"))


def _mail(scene: Scene) -> None:
    want(409, scene["ann"].ask("PUT", "/me/email", {"email": "ann@example.com"}))
    with scene.other_server(
        smtp_url="smtp://127.0.0.1:9", mail_from="cards@example.org", mail_domain="cards.example.org"
    ) as there:
        ann = replace(there, token=scene["ann"].token)
        want(202, ann.ask("PUT", "/me/email", {"email": "ann@example.com"}))
        want(409, ann.post("/me/email/confirmation", {"code": "00000000"}))
        code = newest_code(scene.services.accounts.database)
        want(200, ann.post("/me/email/confirmation", {"code": code}))
        services = services_of(there.client.application)
        key = MailAddresses(services).key_of("unsubscribe", want(200, ann.get("/me"))["id"], "ann@example.com")
        want(204, replace(there, token=None).post(f"/mail/unsubscribe/{key}", None))
        browser = recorder_of(there.client.application, scene.samples)
        want(204, browser.post(f"/mail/unsubscribe/{key}"))
        want(404, browser.post("/mail/unsubscribe/x"))
        want(204, ann.delete("/me/email"))


def _leave(scene: Scene) -> None:
    lea = scene.stranger.join("lea")
    named: dict[str, Any] = {"name": "lea", "password": PASSWORD}
    [code, *_] = want(201, lea.post("/me/recovery-codes", {"password": PASSWORD}))["recovery_codes"]
    want(401, lea.ask("DELETE", "/me", {"password": WRONG}))
    want(202, lea.ask("DELETE", "/me", {"password": PASSWORD}))
    want(403, scene.stranger.post("/tokens", named))
    want(403, scene.stranger.post("/tokens/recovery", {"name": "lea", "code": code, "new_password": OTHER}))
    want(401, scene.stranger.post("/me/restore", named | {"password": WRONG}))
    want(201, scene.stranger.post("/me/restore", named))


def _closed(scene: Scene) -> None:
    new, name = guest(scene), f"name-{secrets.token_hex(4)}"
    with scene.other_server(registration="closed", metrics_token=secrets.token_hex(16)) as closed:
        named = {"name": name, "password": PASSWORD}
        want(403, closed.post("/users", named))
        want(403, closed.post("/guests", {}))
        want(403, replace(closed, token=new.token).post("/me/account", named))
        want(401, closed.get("/metrics"))
