"""kill -9 of the programs that take and send mail, at random moments: no mail is lost, and none is written twice."""

from email.message import EmailMessage

import pytest

from api.delivery.stored.queue import BOARD_MAILS, MAIL_ANSWERS
from tests.api.log_reference import check_export
from tests.campaigns.mail_delivery.arrivals import faults_of_mails
from tests.campaigns.mail_delivery.killing import KilledTable, killed_table
from tests.campaigns.traffic.checks import faults_of_count
from tests.conftest import Database
from tests.mail.post_office import NAMES
from tests.waiting import wait_until

pytestmark = pytest.mark.timeout(7200)  # programs start slowly on a busy machine
SEED = 20261126


def mail(identity: str, text: str = "Hello", answers: str | None = None) -> bytes:
    """Return a mail as the server sends it: about a board, or an answer to a reply."""
    made = EmailMessage()
    made["To"], made["Message-ID"] = "ann@example.net", identity
    made["Auto-Submitted"] = "auto-generated" if answers is None else "auto-replied"
    if answers is not None:
        made["In-Reply-To"] = answers
    made.set_content(f"{text}\ngame 00000000-0000-4000-8000-000000000000\nsize 7\n")
    return made.as_bytes()


def test_canary_a_mail_that_is_sent_twice_or_changed_or_not_answered_is_reported() -> None:
    board, answer, replies = mail("<1@x>"), mail("<3@x>", answers="<r@y>"), {"<1@x>": "<r@y>"}
    assert faults_of_mails([board, board, answer], replies) == [], "the same mail may come again"
    (twice,) = faults_of_mails([board, mail("<2@x>")], {})
    assert twice.startswith("told twice by mail: ('ann@example.net', 'game 0000")
    assert faults_of_mails([board, mail("<1@x>", "Bye")], {}) == ["mail <1@x> has several texts"]
    assert faults_of_mails([board], replies) == ["reply <r@y> has 0 answers"]
    assert faults_of_mails([answer], {}) == ["an answer to <r@y>, which wasn't taken"]


@pytest.mark.slow
@pytest.mark.parametrize("kills", [4, 200])
def test_no_mail_is_lost_or_written_twice_whatever_is_killed(kills: int, database: Database) -> None:
    with killed_table(database, SEED) as table:
        for _ in range(kills):
            table.kill_one()
        table.move()
        accounts = table.office.services.accounts
        wait_until(lambda: not accounts.deliveries.state_of(BOARD_MAILS).waiting, "mails wait")
        wait_until(lambda: not accounts.deliveries.state_of(MAIL_ANSWERS).waiting, "answers wait")
        assert faults_of_mails(table.relay.raw, table.players.replies) == []
        check_moves(table)
    log = (database.data / "programs.log").read_text()
    assert "Traceback" not in log, log


def check_moves(table: KilledTable) -> None:
    """Each reply is one command of the log, and the log has no other ones of players."""
    people = {table.office[name].id for name in NAMES}
    for game, acknowledged in table.players.acknowledged.items():
        export = check_export(table.office[NAMES[0]].caller.get(f"/games/{game}/export").data)
        assert faults_of_count(game, acknowledged, people, export) == []
