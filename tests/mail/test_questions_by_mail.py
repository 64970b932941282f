"""Questions by mail: to sit at a table, and to take over a seat."""

from api.delivery.stored.queue import BOARD_MAILS
from api.mail.services.mail_follower import MailFollower
from domain.store.held_clock import machine_time
from tests.conftest import Database
from tests.mail.post_office import DOMAIN, NAMES, PostOffice, Relay, open_office


def test_players_agree_to_sit_by_replies_and_the_game_starts(database: Database, relay: Relay) -> None:
    with open_office(database, relay, seating="asked") as office:
        people = [office[name] for name in NAMES]
        office.send_all()
        made = people[0].caller.post("/games", {"variant": "pitch", "seats": list(NAMES)})
        assert made.status_code == 201, made.text
        for name in NAMES[1:]:
            office.send_all()
            mail = office.mails_to(name)[-1]
            assert "asks you to sit" in mail.get_content()
            assert office.reply(name, "join", mail) == "250"
        game = people[0].caller.get("/games/1").get_json()
    assert game["status"] != "forming"
    assert game["version"] > 0


def test_a_player_who_is_offered_a_seat_gets_a_mail_that_takes_no_reply(office: PostOffice) -> None:
    office.challenge(NAMES)
    eve, before = office["eve"], machine_time()
    office.send_all()
    asked = office["ann"].caller.post("/games/1/handovers", {"to": "eve"})
    assert asked.status_code == 201, asked.text
    MailFollower(office.services).run_once()
    oldest = office.services.accounts.deliveries.state_of(BOARD_MAILS).oldest
    assert oldest is not None
    assert before <= oldest <= machine_time(), "the offer waits since it was made"
    office.send_all()
    [mail] = office.mails_to("eve")
    assert "ann offers you their seat at board 1" in mail.get_content()
    assert str(mail["Reply-To"]) == f"play@{DOMAIN}"
    office.send_all()
    assert len(office.mails_to("eve")) == 1
    offer = eve.caller.get("/me/handovers").get_json()["items"][0]["id"]
    assert eve.caller.post(f"/games/1/handovers/{offer}/accept", {}).status_code == 204


def test_an_offer_that_was_withdrawn_sends_no_mail(office: PostOffice) -> None:
    office.challenge(NAMES)
    assert office["eve"].name == "eve"
    ann = office["ann"].caller
    offer = ann.post("/games/1/handovers", {"to": "eve"}).get_json()["id"]
    assert ann.delete(f"/games/1/handovers/{offer}").status_code == 204
    office.send_all()
    assert office.mails_to("eve") == []
    assert office.services.accounts.deliveries.state_of(BOARD_MAILS).waiting == 0
