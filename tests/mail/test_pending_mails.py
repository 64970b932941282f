"""A message of which nobody knows whether it arrived goes again only if it's still wanted, and still fits."""

import pytest

from api.delivery.stored.log_reader import ReaderPlace, ReaderPlaces
from api.delivery.stored.queue import MAIL_ANSWERS
from api.mail.outgoing.sender import Mailer
from api.mail.services.mail_follower import READER
from api.mail.services.relay import Delivery
from tests.api.conftest import PASSWORD
from tests.mail.post_office import PostOffice
from tests.mail.test_outbox import NAMES, in_turn, later


@pytest.fixture
def pending(office: PostOffice, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of the player in turn, whose mail is in doubt; the outbox's clock is at the next try."""
    office.challenge(NAMES)
    with monkeypatch.context() as patch:
        patch.setattr("api.mail.outgoing.sender.send", lambda *_: (Delivery.UNKNOWN, "lost"))
        assert Mailer(office.services).run_once() == 0
    assert waiting_messages(office) == 1
    later(office, monkeypatch, 61)
    return in_turn(office)


def waiting_messages(office: PostOffice) -> int:
    statement = "SELECT COUNT(*) FROM deliveries WHERE message IS NOT NULL"
    return int(office.services.accounts.database.run(statement)[0][0])


def test_it_does_not_go_after_the_end_of_mails(office: PostOffice, pending: str) -> None:
    assert office[pending].caller.ask("PUT", "/me/mail", {"level": "none"}).status_code == 200
    assert (office.send_all(), office.relay.mails, waiting_messages(office)) == (0, [], 0)


def test_it_does_not_go_after_the_players_move(office: PostOffice, pending: str) -> None:
    assert office[pending].caller.post("/games/1/moves", {"text": "pass"}).status_code in (200, 201)
    office.send_all()
    assert (office.mails_to(pending), waiting_messages(office)) == ([], 0)


@pytest.mark.parametrize("change", ["address", "password"])
def test_it_is_written_again_if_its_address_or_its_right_has_ended(
    change: str, office: PostOffice, pending: str
) -> None:
    person = office[pending]
    if change == "address":
        office.confirm(person, "other@example.net")
    else:
        body = {"password": PASSWORD, "new_password": "violet-otter-lantern"}
        assert person.caller.post("/me/password", body).status_code == 200
    assert office.send_all() == 1
    [mail] = office.mails_to(pending)
    assert (mail["To"], office.reader.takes(str(mail["Reply-To"]))) == (person.address, True)


def test_answers_are_taken_one_at_a_time(office: PostOffice) -> None:
    """While one is on its way, another process may send the others."""
    queue = office.services.accounts.deliveries
    for number in range(3):
        queue.add_message(MAIL_ANSWERS, str(number), "", f"To: eve@example.net\n\ntext {number}")
    first, second = (queue.take(MAIL_ANSWERS, str(number)) for number in (0, 1))
    assert first is not None
    assert second is not None
    assert [queue.take(MAIL_ANSWERS, str(number)) for number in (0, 1)] == [None, None]
    assert (office.send_all(), queue.take(MAIL_ANSWERS, "2")) == (1, None)


@pytest.mark.both_stores
def test_a_page_is_taken_by_one_process_alone(office: PostOffice) -> None:
    """The first to write goes on, and the second finds that its beginning is gone."""
    office.send_all()
    database = office.services.accounts.database
    before = ReaderPlaces(database).of(READER)
    assert before is not None
    reached = ReaderPlace(before.positions, before.note + 1)

    def goes_on() -> bool:
        with database.transaction(writes=True) as transaction:
            return ReaderPlaces.go_on(transaction, READER, before, reached)

    assert [goes_on() for _ in range(2)] == [True, False]
    assert ReaderPlaces(database).of(READER) == reached
