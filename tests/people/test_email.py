"""E-mail addresses: confirmed by a code that a real SMTP server receives."""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from api.config import Config
from api.config.limits import Limits, Rate
from api.mail.outgoing.messages import message_id
from api.mail.outgoing.sender import Mailer
from api.monitoring.metrics import REGISTRY
from api.people.stored.tokens import DAY_US
from domain.store.held_clock import machine_time
from tests.api.conftest import PASSWORD, Caller, check_problem, config_for, services_of
from tests.api.live_server import GameServer
from tests.conftest import Database
from tests.mail.post_office import Relay, open_relay
from tests.people.conftest import json_of, open_caller, with_token

ADDRESS = "ann@example.com"


@pytest.fixture
def inbox() -> Iterator[Relay]:
    """A mail server on this machine."""
    with open_relay() as opened:
        yield opened


def codes(inbox: Relay) -> list[str]:
    """Return the codes in the mails."""
    return [re.findall(r"\b[0-9]{8}\b", mail.get_content())[0] for _, mail in inbox.mails]


@pytest.fixture
def ann(database: Database, inbox: Relay) -> Iterator[Caller]:
    """A player on a server that sends mail."""
    with open_caller(replace(config_for(database), smtp_url=inbox.url, mail_from="cards@example.org")) as caller:
        yield caller.join("ann")


def postman(caller: Caller) -> Mailer:
    return Mailer(services_of(caller.client.application))


def ask(caller: Caller, address: str = ADDRESS) -> None:
    answer = caller.ask("PUT", "/me/email", {"email": address})
    assert json_of(answer, 202) == {"address": address, "confirmed": False}


def test_the_code_in_the_mail_confirms_the_address(ann: Caller, inbox: Relay) -> None:
    ask(ann)
    assert json_of(ann.get("/me"))["email"] == {"address": ADDRESS, "confirmed": False}
    assert (postman(ann).run_once(), postman(ann).run_once()) == (1, 0)
    [(_, mail)] = inbox.mails
    assert (mail["To"], mail["From"]) == (ADDRESS, "cards@example.org")
    confirmed = ann.post("/me/email/confirmation", {"code": codes(inbox)[0]})
    assert json_of(confirmed) == json_of(ann.get("/me"))["email"] == {"address": ADDRESS, "confirmed": True}
    check_problem(ann.post("/me/email/confirmation", {"code": codes(inbox)[0]}), 409, "wrong-code")
    assert ann.delete("/me/email").status_code == 204
    assert json_of(ann.get("/me"))["email"] is None


def test_another_address_needs_its_own_code(ann: Caller, inbox: Relay) -> None:
    for address in (ADDRESS, "ann@example.net"):
        ask(ann, address)
        postman(ann).run_once()
    first, second = codes(inbox)
    check_problem(ann.post("/me/email/confirmation", {"code": first}), 409, "wrong-code")
    assert json_of(ann.post("/me/email/confirmation", {"code": second}))["address"] == "ann@example.net"


def test_five_wrong_codes_end_the_right_one(ann: Caller, inbox: Relay) -> None:
    ask(ann)
    postman(ann).run_once()
    [code] = codes(inbox)
    wrong = f"{(int(code) + 1) % 10**8:08}"
    for _ in range(5):
        check_problem(ann.post("/me/email/confirmation", {"code": wrong}), 409, "wrong-code")
    check_problem(ann.post("/me/email/confirmation", {"code": code}), 409, "wrong-code")


def put_later(ann: Caller, monkeypatch: pytest.MonkeyPatch, microseconds: int) -> None:
    """Let the clock of the accounts be that much later."""
    later = machine_time() + microseconds
    monkeypatch.setattr(services_of(ann.client.application).accounts.database, "clock", lambda: later)


def test_a_code_is_valid_for_a_day(ann: Caller, inbox: Relay, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(ann)
    postman(ann).run_once()
    emails = services_of(ann.client.application).accounts.emails
    put_later(ann, monkeypatch, DAY_US + 1)
    check_problem(ann.post("/me/email/confirmation", {"code": codes(inbox)[0]}), 409, "wrong-code")
    emails.delete_unconfirmed()
    assert json_of(ann.get("/me"))["email"] is None


def test_a_mail_that_the_server_refuses_for_now_is_sent_later(
    ann: Caller, inbox: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {result: mails(result) for result in ("sent", "failed")}
    ask(ann)
    inbox.answer = "451 try later"
    assert (postman(ann).run_once(), inbox.mails) == (0, [])
    inbox.answer = "250 OK"
    assert postman(ann).run_once() == 0, "a minute isn't over"
    put_later(ann, monkeypatch, 61 * 1_000_000)
    assert (postman(ann).run_once(), len(inbox.mails)) == (1, 1)
    assert {result: mails(result) - count for result, count in before.items()} == {"sent": 1, "failed": 1}


@pytest.mark.both_stores
def test_attack_161_a_code_that_waits_is_shown_to_nobody(ann: Caller, inbox: Relay) -> None:
    inbox.answer = "451 try later"
    ask(ann, "victim@example.net")
    assert postman(ann).run_once() == 0
    services = services_of(ann.client.application)
    [(message,)] = services.accounts.database.run("SELECT message FROM deliveries")
    [code] = re.findall(r"code: ([0-9]{8})", message)
    # when the relay has the mail to somebody else's address wait
    with closing(ann.get("/me/export")) as answer:
        text = answer.text
    # then the player who gave the address sees that it waits, and no code
    assert "account-mails" in text
    assert code not in text


@pytest.mark.both_stores
def test_attack_162_nobody_can_tell_the_ids_of_mails_and_none_comes_twice(ann: Caller, inbox: Relay) -> None:
    sent = list[str]()
    for _ in range(2):
        ask(ann)
        postman(ann).run_once()
        sent.append(inbox.mails[-1][1]["Message-ID"])
        # when numbers begin again, as after a return to a backup
        for table in ("counters", "deliveries"):
            services_of(ann.client.application).accounts.database.run(f"DELETE FROM {table}")
    assert sent[0] != sent[1]
    known = [message_id("127.0.0.1", "account", number) for number in (1, 2)]
    assert not set(sent) & set(known)


def mails(result: str) -> float:
    """Return how many mails this process has counted."""
    return REGISTRY.get_sample_value("trickbook_mails_total", {"result": result}) or 0.0


def test_mails_are_limited_by_player_and_recipient(database: Database, inbox: Relay) -> None:
    config = replace(config_for(database), smtp_url=inbox.url, limits=Limits(mails=Rate(count=2, window_s=3600)))
    with open_caller(config) as caller:
        people = [caller.join(name) for name in ("ann", "bob")]
        asked = [people[0].ask("PUT", "/me/email", {"email": ADDRESS}).status_code for _ in range(3)]
        others = [people[1].ask("PUT", "/me/email", {"email": text}) for text in ("ANN@example.com", "bob@example.com")]
    assert (asked, [answer.status_code for answer in others]) == ([202, 202, 429], [429, 202])


def test_a_server_that_sends_no_mail_takes_no_address(server: GameServer) -> None:
    check_problem(server["ann"].ask("PUT", "/me/email", {"email": ADDRESS}), 409, "no-mail")


def test_a_guest_has_no_address_and_other_texts_are_refused(ann: Caller) -> None:
    for address in ("ann", "ann@", "@example.com", "a b@example.com", "ann@example", "ann@x.y\n", 7):
        check_problem(ann.ask("PUT", "/me/email", {"email": address}), 400, "malformed")
    guest = with_token(ann, json_of(ann.post("/guests", {}), 201))
    check_problem(guest.ask("PUT", "/me/email", {"email": ADDRESS}), 409, "not-for-guests")


def test_mail_goes_unencrypted_to_this_machine_alone(tmp_path: Path, inbox: Relay) -> None:
    """The test server offers no STARTTLS, so that a connection to any other host name fails."""
    config = Config(data=tmp_path, hashing="cheapest", smtp_url=f"smtp://127.0.0.2:{inbox.port}")
    with open_caller(config) as caller:
        person = caller.join("ann")
        ask(person)
        assert postman(person).run_once() == 0
    assert inbox.mails == []


def test_own_data_holds_everything_but_secrets(ann: Caller, inbox: Relay) -> None:
    ask(ann)
    codes = json_of(ann.post("/me/recovery-codes", {"password": PASSWORD}), 201)["recovery_codes"]
    game = json_of(ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]}), 201)
    with closing(ann.get("/me/export")) as answer:
        services_of(ann.client.application).followers.catch_up()
        body = json_of(ann.get("/me/export"))
        assert answer.headers["Content-Disposition"].startswith("attachment; filename=trickbook-p_")
    assert list(body) == [
        "user", "tokens", "roles", "email", "recovery_codes", "hours", "opened_games", "dispute_texts", "tables",
        "handover_offers", "blocks", "messages", "private_messages", "reports", "steps", "inbox_notes", "webhooks",
        "held_moves", "rulebooks", "command_settings", "mail_levels", "board_mails", "deliveries", "games",
    ]  # fmt: skip
    assert body["email"][0]["address"] == ADDRESS
    assert body["opened_games"][0]["game"] == game["id"]
    assert body["games"] == [{"game": game["id"], "board": 1, "variant": "pitch", "seats": [0]}]
    text = str(body)
    assert not any(secret in text for secret in (str(ann.token), "$argon2", *codes))
