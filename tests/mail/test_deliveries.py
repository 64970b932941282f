"""The promises of docs/operations.md about each queue of mails, with a relay that refuses, hangs up or is slow."""

import threading
from dataclasses import dataclass
from email.message import EmailMessage

import pytest

from api.container import Services
from api.delivery.stored.queue import MAIL_ANSWERS, add
from api.mail.outgoing.sender import Mailer
from api.mail.services.mail_follower import MailFollower
from api.monitoring.exposition import queue_states
from api.people.services.housekeeping import Housekeeper
from domain.store.held_clock import machine_time
from tests.conftest import Database
from tests.mail.post_office import LOST, PostOffice, Relay, open_office
from tests.mail.test_outbox import NAMES, after_next, in_turn

pytestmark = pytest.mark.both_stores
MINUTE, DAY, MONTH = 60, 24 * 3600, 31 * 24 * 3600
MOST_TRIES = 12


@dataclass
class MailTable:
    """A game by mail whose first mail is read, and whose accounts have a clock that the test moves."""

    office: PostOffice
    first: EmailMessage
    reader: str
    passed_s: int = 0

    def send_later(self, seconds: int) -> int:
        """Let that time pass, and return how many mails go then."""
        self.passed_s += seconds
        return self.office.send_all()

    def forget(self) -> None:
        """Delete what is older than a month."""
        self.passed_s += MONTH
        Housekeeper(self.office.services).run_once()

    def run(self, select: str) -> list[str]:
        return [str(row[0]) for row in self.office.services.accounts.database.run(select)]

    def texts(self) -> list[str]:
        """Return all that the tables of mails hold of what was written."""
        return self.run("SELECT message FROM deliveries WHERE message IS NOT NULL") + self.run("SELECT body FROM mails")


@pytest.fixture
def table(office: PostOffice) -> MailTable:
    """A table where the player in turn has a mail, and nothing else waits."""
    office.challenge(NAMES)
    office.send_all()
    [(_, mail)] = office.relay.mails
    made = MailTable(office, mail, in_turn(office))
    office.relay.mails.clear()
    office.services.accounts.database.run("DELETE FROM mails")  # the codes that the players have confirmed
    office.services.accounts.database.clock = lambda: machine_time() + made.passed_s * 1_000_000
    return made


def ask_for_code(table: MailTable) -> str:
    person = table.office[table.reader]
    assert person.caller.ask("PUT", "/me/email", {"email": "new@example.com"}).status_code == 202
    return table.reader


def reply(table: MailTable) -> str:
    assert table.office.reply(table.reader, "showas", table.first) == "250"
    return table.reader


def move(table: MailTable) -> str:
    assert table.office[in_turn(table.office)].caller.post("/games/1/moves", {"text": "pass"}).status_code == 201
    return in_turn(table.office)


CAUSES = {"account-mails": ask_for_code, "mail-answers": reply, "board-mails": move}
each_queue = pytest.mark.parametrize("queue", CAUSES)


@each_queue
def test_a_mail_whose_acceptance_was_lost_goes_again_as_it_was_and_then_never(table: MailTable, queue: str) -> None:
    CAUSES[queue](table)
    # given a relay that takes the mail, and hangs up before it says so
    table.office.relay.answer = LOST
    assert (table.send_later(0), len(table.office.relay.mails)) == (0, 1)
    # when it answers at the next try
    table.office.relay.answer = "250 OK"
    assert (table.send_later(MINUTE + 1), table.send_later(0), table.send_later(DAY)) == (1, 0, 0)
    # then both were the same bytes, and nothing waits or goes, also after the item is forgotten
    first, second = (mail.as_bytes() for _, mail in table.office.relay.mails)
    assert first == second
    assert (queue_states(table.office.services)[queue][:2], table.texts()) == ((0, 0), [])
    table.forget()
    assert table.send_later(0) == 0


@each_queue
def test_a_refused_mail_goes_at_the_times_that_the_docs_name_and_its_queue_goes_on_after_it(
    table: MailTable, queue: str
) -> None:
    relay, tries = table.office.relay, list[int]()
    reader = CAUSES[queue](table)
    relay.answer, relay.on_mail = "451 4.2.2 mailbox full", lambda: tries.append(1)
    table.send_later(0)
    for number in range(1, MOST_TRIES):
        pause = min(2 ** (number - 1), 8 * 60) * MINUTE
        assert (table.send_later(pause - 5), len(tries)) == (0, number), "too early"
        assert (table.send_later(6), len(tries)) == (0, number + 1)
    # then it's given up for a reason, without its text, and never goes
    why = "refused for now, or nobody answered"
    assert queue_states(table.office.services)[queue] == (0, 0, None, 1, why)
    assert (table.send_later(DAY), len(tries), table.texts()) == (0, MOST_TRIES, [])
    # when there is more for the same reader, it has as many tries
    again = CAUSES[queue](table)
    while queue == "board-mails" and again != reader:
        again = move(table)
    MailFollower(table.office.services).run_once()
    assert queue_states(table.office.services)[queue].failing == 0
    table.send_later(0)
    assert queue_states(table.office.services)[queue].failing > 0
    relay.answer = "250 OK"
    assert table.send_later(MINUTE + 1) > 0
    assert queue_states(table.office.services)[queue][:2] == (0, 0)


def test_an_item_that_was_given_up_has_all_tries_again_for_its_next_news(table: MailTable) -> None:
    accounts = table.office.services.accounts

    def fails(after_s: int) -> bool:
        table.passed_s += after_s
        item = accounts.deliveries.take("witnesses", "g_1 w_1")
        assert item is not None
        return accounts.deliveries.fail(item, "it doesn't answer")

    for _ in range(2):
        with accounts.database.transaction(writes=True) as transaction:
            add(transaction, "witnesses", "g_1 w_1", "", transaction.now())
        assert [fails(days * DAY) for days in (0, 1, 7)] == [False, False, True]
    assert queue_states(table.office.services)["witnesses"] == (0, 0, None, 1, "it doesn't answer")


def test_a_number_of_an_account_mail_is_never_given_again(table: MailTable) -> None:
    def number() -> str:
        ask_for_code(table)
        [key] = table.run("SELECT key FROM deliveries WHERE queue = 'account-mails' AND ended IS NULL")
        return key

    office, person = table.office, table.office[table.reader]
    seen = [number()]
    # when the mail is withdrawn, sent and forgotten, or erased with its player
    assert person.caller.delete("/me/email").status_code == 204
    seen.append(number())
    assert table.send_later(0) == 1
    table.forget()
    assert table.run("SELECT key FROM deliveries WHERE queue = 'account-mails'") == []
    seen.append(number())
    office.services.accounts.erasures.erase(person.id)
    assert (table.texts(), table.send_later(DAY)) == ([], 0)
    table.reader = next(name for name in NAMES if name != table.reader)
    seen.append(number())
    # then the next one has a number of its own
    assert sorted(set(seen), key=int) == seen
    # if a backup is restored, numbers begin again, and no mail has the Message-ID of another one
    assert table.send_later(0) == 1
    office.services.accounts.database.run("DELETE FROM counters WHERE name = 'mails'")
    table.forget()
    table.reader = next(name for name in NAMES if name not in (person.name, table.reader))
    for _ in range(len(seen)):
        ask_for_code(table)
        assert table.send_later(1) == 1
    ids = [mail["Message-ID"] for _, mail in office.relay.mails]
    assert len(set(ids)) == len(ids)


def test_servers_that_send_at_once_send_each_mail_once(database: Database, relay: Relay) -> None:
    with open_office(database, relay) as office, open_office(database, relay) as other:
        for _ in range(3):
            office.challenge(NAMES)
        relay.mails.clear()
        for name in NAMES:
            assert office[name].caller.ask("PUT", "/me/email", {"email": f"new-{name}@example.com"}).status_code == 202
        together, sent = threading.Barrier(2), list[int]()

        def send(services: Services) -> None:
            mailer = Mailer(services)
            together.wait()
            sent.extend(mailer.run_once() for _ in range(3))

        threads = [threading.Thread(target=send, args=(each.services,)) for each in (office, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len({mail["Message-ID"] for _, mail in relay.mails}) == len(relay.mails) == sum(sent) >= len(NAMES)


@pytest.mark.parametrize("answer", ["250 OK", "451 4.2.2 mailbox full", LOST])
def test_news_that_come_while_a_mail_is_on_its_way_go_once_whatever_becomes_of_it(
    table: MailTable, answer: str
) -> None:
    reader, office = move(table), table.office
    asker, due = office[after_next(office)], list[str]()

    def ask() -> None:
        """Ask for a draw while the mail is on its way, and have another process read the log."""
        office.relay.on_mail = object
        assert asker.caller.post("/games/1/moves", {"type": "propose_draw"}).status_code == 201
        MailFollower(office.services).run_once()
        due.extend(office.services.accounts.deliveries.due("board-mails", 50))

    office.relay.on_mail, office.relay.answer = ask, answer
    table.send_later(0)
    assert not any(office[reader].id in key for key in due), "the mail on its way is nobody else's"
    office.relay.answer = "250 OK"
    for _ in range(3):
        table.send_later(2 * MINUTE)
    # then one mail tells the news, and no other mail came twice, except as it was
    mails = office.mails_to(reader)
    assert sum("draw" in str(mail.get_content()) for mail in mails) == 1
    assert len({mail.as_bytes() for mail in mails}) == len({mail["Message-ID"] for mail in mails})


def test_a_row_that_comes_after_its_news_were_told_sends_nothing(table: MailTable) -> None:
    """A process reads a fact into the outbox while another one writes a mail from the game, which has the fact."""
    reader, accounts = table.office[move(table)].id, table.office.services.accounts
    table.send_later(0)
    with accounts.database.transaction(writes=True) as transaction:
        [(game, told)] = transaction.run("SELECT game, mailed FROM board_mail_places WHERE player = ?", reader)
        transaction.run("INSERT INTO board_mails VALUES (?, ?, ?, 'turn', 0)", reader, game, told)
        add(transaction, "board-mails", f"{reader} {game}", reader, 0)
    assert (table.send_later(0), table.run("SELECT kind FROM board_mails")) == (0, [])


@each_queue
def test_a_player_who_is_erased_while_a_mail_is_on_its_way_leaves_nothing(table: MailTable, queue: str) -> None:
    reader = table.office[CAUSES[queue](table)]
    relay = table.office.relay
    relay.on_mail, relay.answer = lambda: table.office.services.accounts.erasures.erase(reader.id), "451 later"
    table.send_later(0)
    relay.on_mail, relay.answer = object, "250 OK"
    assert (table.send_later(DAY), len(relay.mails), table.texts()) == (0, 0, [])
    for name in ("deliveries", "mails", "board_mails", "board_mail_places"):
        assert table.run(f"SELECT player FROM {name} WHERE player = '{reader.id}'") == []


def test_a_mail_that_cannot_be_written_stops_no_other_and_has_failed(
    office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.challenge(["ann", "bob"])
    office.services.accounts.deliveries.add_message(MAIL_ANSWERS, "k", "", "To: eve@example.net\n\ntext")
    with monkeypatch.context() as patch:
        patch.setattr("api.mail.outgoing.sender.message_from_string", broken)
        assert office.send_all() == 1
    state = office.services.accounts.deliveries.state_of(MAIL_ANSWERS)
    assert (state.failing, state.why) == (1, "it can't be written: ZeroDivisionError")
    assert len(office.relay.mails) == 1


def broken(*_values: object, **_more: object) -> None:
    """Fail as code does that has a fault."""
    raise ZeroDivisionError
