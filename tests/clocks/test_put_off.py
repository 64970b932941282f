"""Times that end accounts and tables: a hold of the clock puts it off, as it does in games (R-P10)."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from api.accounts.accounts import Accounts, open_accounts
from api.clock import ServerClock
from api.inbox.stored.webhooks import InboxPlace
from api.people.stored.own_data import GRACE_US
from api.tables.stored.handover_offers import LIFE_S
from api.tables.stored.seats import FormingTable, TableStatus
from tests.api.conftest import config_for
from tests.api.server.test_server_clock import DAY, HOUR, MONTH, SECOND, START, Machine, beats
from tests.conftest import Database
from tests.domain.store.storing import new_id

pytestmark = pytest.mark.both_stores
LIFE = 5 * HOUR
OFFER, TABLE = "o_1", new_id()


@pytest.fixture
def accounts(database: Database) -> Iterator[Accounts]:
    """Accounts at 8:00 with a table, an invitation, an offer, somebody who left, and a webhook that fails."""
    with closing(open_accounts(config_for(database))) as opened:
        opened.database.clock = lambda: START
        ann, leo = (opened.users.register(name, "correct-horse") for name in ("ann", "leo"))
        seats = FormingTable(
            TABLE, 1, ann.id, "c", {"variant": "pitch"}, True, None, TableStatus.FORMING, 1, START, START + LIFE, ()
        )  # fmt: skip
        opened.forming.create(seats, None)
        opened.invitations.issue(TABLE, 1, START + LIFE, None)
        opened.handover_offers.make(OFFER, TABLE, 0, ann.id, "p_2")
        opened.leaving.leave(leo.id)
        webhook = opened.webhooks.add(ann.id, "https://bot.example/", (), None, InboxPlace(1, 0, 0), 5)
        taken = opened.webhooks.take(webhook)
        assert taken is not None
        opened.webhooks.fail(taken, 0, "the answer was 500")
        yield opened


def put_off(accounts: Accounts) -> set[int]:
    """Return by how long each of them is put off, in seconds."""
    usual = {
        "SELECT expires FROM forming_tables": START + LIFE,
        "SELECT expires FROM table_invitations": START + LIFE,
        "SELECT made FROM handover_offers": START,
        "SELECT leaving FROM users WHERE name = 'leo'": START + GRACE_US,
        "SELECT failing FROM deliveries": START,
    }
    return {(int(accounts.database.run(select)[0][0]) - at) // SECOND for select, at in usual.items()}


def started(accounts: Accounts) -> tuple[Machine, ServerClock]:
    """Return a machine, and a process on it whose worker has run for three heartbeats."""
    machine = Machine()
    clock = machine.starts(accounts.clock_records)
    beats(machine, clock)
    return machine, clock


@pytest.mark.parametrize("gap", [61 * SECOND, 4 * HOUR, 3 * DAY])
def test_time_without_a_worker_puts_off_what_waits(accounts: Accounts, gap: int) -> None:
    machine, clock = started(accounts)
    assert (put_off(accounts), clock.may_end()) == ({0}, True)
    # when no worker runs for that long
    machine.passes(gap)
    clock = machine.starts(accounts.clock_records)
    # then nothing ends before a heartbeat has put it off
    assert not clock.may_end()
    clock.beat()
    assert (put_off(accounts), clock.may_end()) == ({gap // SECOND}, True)
    accounts.database.clock = clock.now_us
    assert (accounts.forming.lapse(), accounts.leaving.due(clock.now_us())) == ([], [])


@pytest.mark.parametrize("jump", [MONTH, -MONTH, 10**9 * SECOND])
def test_a_jump_ends_nothing_and_puts_off_what_waits_by_as_long_as_it_lasts(accounts: Accounts, jump: int) -> None:
    machine, clock = started(accounts)
    accounts.database.clock = clock.now_us
    # given a clock that jumps for a hundred seconds
    machine.shown += jump
    beats(machine, clock, 20)
    assert (clock.may_end(), accounts.forming.due(clock.now_us())) == (False, [])
    assert accounts.leaving.due(clock.now_us()) == []
    # when it's right again
    machine.shown -= jump
    beats(machine, clock, 1)
    # then all of it waits for as long as the clock was held, from the last heartbeat before
    assert (put_off(accounts), clock.may_end()) == ({105}, True)


def test_a_long_silence_waits_for_an_operator_and_is_given_back_whole(accounts: Accounts) -> None:
    machine, _ = started(accounts)
    machine.passes(MONTH)
    clock = machine.starts(accounts.clock_records)
    beats(machine, clock)
    assert (put_off(accounts), clock.may_end()) == ({0}, False)
    accounts.clock_records.release(machine.shown)
    machine.passes(SECOND)
    clock.beat()
    assert put_off(accounts) == {(MONTH + 15 * SECOND) // SECOND}


def test_what_begins_during_a_hold_is_put_off_by_the_rest_of_it(accounts: Accounts) -> None:
    machine, clock = started(accounts)
    machine.shown += MONTH
    beats(machine, clock)
    # given somebody who leaves while the clock is held
    accounts.database.clock = clock.now_us
    bob = accounts.users.register("bob", "correct-horse")
    leaves_at = accounts.leaving.leave(bob.id)
    # when an operator says ten seconds later that the clock is right
    beats(machine, clock, 2)
    accounts.clock_records.release(machine.shown)
    # then the day is over a day after that
    [(leaving,)] = accounts.database.run("SELECT leaving FROM users WHERE player = ?", bob.id)
    assert leaving - leaves_at == MONTH + 10 * SECOND


def test_two_holds_at_the_same_time_are_given_back_once(accounts: Accounts) -> None:
    # given two servers whose clocks jump at the same time
    here, there = Machine(), Machine()
    clocks = [each.starts(accounts.clock_records) for each in (here, there)]
    for machine, clock in zip((here, there), clocks, strict=True):
        beats(machine, clock, 1)
    for jump in (MONTH, 0, 0, 0):
        for machine, clock in zip((here, there), clocks, strict=True):
            machine.shown += jump
            beats(machine, clock, 1)
    # when one is right after the other
    for machine, clock in ((here, clocks[0]), (there, clocks[1])):
        machine.shown -= MONTH
        beats(machine, clock, 1)
    # then what waits is put off by the time from the last heartbeat before to the end of the doubt
    assert put_off(accounts) == {25}


def test_a_lifetime_is_as_long_as_its_constant(accounts: Accounts) -> None:
    accounts.database.clock = lambda: START + LIFE_S * SECOND - 1
    assert accounts.handover_offers.find(OFFER) is not None
    accounts.database.clock = lambda: START + LIFE_S * SECOND
    assert accounts.handover_offers.find(OFFER) is None
