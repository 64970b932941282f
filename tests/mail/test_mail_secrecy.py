"""Two games that differ only in cards that a reader may not know send the reader the same mails, byte for byte."""

import random
import re
from collections.abc import Iterator
from email.message import EmailMessage
from itertools import groupby
from pathlib import Path

import pytest

from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS
from api.mail.outgoing.sender import write_digest
from domain.commands import ProposeDraw
from domain.events import Player
from domain.events.codec import encode
from domain.protocols import merkle_log
from domain.protocols.merkle_log import EMPTY
from domain.state import current_hand
from domain.store.aggregate import Entry
from tests.api.past_times import time_ago
from tests.api.worlds import Events, RandomGame, state_of, vary_hidden_facts
from tests.conftest import Database
from tests.given import GAME
from tests.mail.mail_programs import PROGRAMS
from tests.mail.post_office import NAMES, PostOffice, Relay, open_office
from tests.plugins.chance import seeded_randomness
from tests.values import replace

VARIANTS = ("pitch", "setback", "blackout", "corellian")
YESTERDAY = time_ago(days=1)
"""When all of it happened: mails show deadlines."""
DATE = re.compile(r"\('(Date|Message-ID)', '[^']*'\)")
"""The time, and the id, which follows from the root."""
CHANGING = re.compile(r"(?m)[0-9a-f]{64}|^receipt\n(?s:.*?)^Keep this|trickbook\.invalid/[0-9a-f]{12}\+[0-9a-f]{8}")
"""Roots and receipts, which commit to the whole log with hidden salts, and the new key of each server."""


@pytest.mark.parametrize(
    ("games", "variant"), [(1, "pitch"), *(pytest.param(8, each, marks=pytest.mark.slow) for each in VARIANTS)]
)
def test_a_reader_gets_the_same_mails_in_two_worlds(games: int, variant: str, relay: Relay, tmp_path: Path) -> None:
    differ = [compare_worlds(variant, number, relay, tmp_path) for number in range(games)]
    assert any(differ), "no difference between two worlds reached any mail"


def compare_worlds(variant: str, number: int, relay: Relay, folder: Path) -> bool:
    """Play a random game in two worlds, and compare the mails to one seat after each commit.

    As a control, return whether the mails of another seat differ. They don't if only cards in the stock do.
    """
    chance = random.Random(f"mails {variant} {number}")
    viewer = chance.randrange(4)
    found = list[tuple[list[str], list[str]]]()
    events = other = Events()
    for world in (f"{number}a", f"{number}b"):
        (folder / world).mkdir()
        with seeded_randomness("the server's secret"), open_office(Database(None, folder / world), relay) as office:
            players = [Player(office[name].id, "human") for name in NAMES]
            if not found:
                events, other = worlds(chance, players, variant, viewer, 0 if number else 10)
            seat = next(each for each in range(4) if each != viewer and each not in state_of(events).turn)
            readers = [name_of(office, events, each) for each in (viewer, seat)]
            world_events = other if found else events
            send_mails(office, world_events, readers)
            quote_hand(office, readers[1], variant, own_card(world_events, seat))
            answer_lines(office, readers[0], variant)
            found.append((texts_to(office, readers[0]), texts_to(office, readers[1])))
    assert found[0][0] == found[1][0]
    assert any("Your cards: " in text for text in found[0][0])
    assert "well played" in found[0][0][-1]
    return found[0][1] != found[1][1]


def worlds(
    chance: random.Random, players: list[Player], variant: str, viewer: int, least: int
) -> tuple[Events, Events]:
    """Return a game in which another seat has a question, and another game that looks the same to the viewer.

    It has `least` moves or a few more, so that the first hand is still secret; with 0, more of them.
    """
    for moves in range(least or chance.randint(25, 60), 100):
        game = RandomGame(random.Random(chance.random()), players, variant)
        for _ in range(moves):
            if game.state.result is None:
                game.move()
        state = game.state
        if state.result is None and state.turn and viewer not in state.turn and state.proposal is None:
            game.send(ProposeDraw(state.turn[0]), state.seats[state.turn[0]].player)
            others = [vary_hidden_facts(game.events, viewer, chance) for _ in range(10)]
            other = max(others, key=lambda each: moved_cards(game.events, each))
            if moved_cards(game.events, other) > 3:
                return game.events, other
    raise AssertionError("no game in which it's another seat's turn")


def moved_cards(events: Events, other: Events) -> int:
    """Return how many cards the seats hold in one world that others hold in the other one."""
    one, two = (current_hand(state_of(each)).cards for each in (events, other))
    return sum(len({*(held or ())} - {*(theirs or ())}) for held, theirs in zip(one, two, strict=True))


def own_card(events: Events, seat: int) -> str:
    """Return a card that a seat holds."""
    return str((current_hand(state_of(events)).cards[seat] or ("AD",))[0])


def name_of(office: PostOffice, events: Events, seat: int) -> str:
    """Return the name of a seat's player."""
    return next(name for name in NAMES if office[name].id == state_of(events).seats[seat].player)


def send_mails(office: PostOffice, events: Events, readers: list[str]) -> None:
    """Let a game happen, and send each commit's mails to the readers."""
    office.send_all()  # the server begins with the log's end
    services = office.services
    office.relay.mails.clear()
    services.accounts.boards.reserve(GAME, events[0].by)
    for name in NAMES:
        services.accounts.mail_levels.set(office[name].id, "every" if name in readers else "none")
    for commit in stored(events):
        services.games.log.application_of(commit[0].originator_id).save(*commit)
        office.send_all()


def answer_lines(office: PostOffice, name: str, variant: str) -> None:
    """Send the answers to all that a reader may write, whatever anybody holds."""
    newest, address = office.mails_to(name)[-1], office[name].address
    for number, line in enumerate([*lines(variant), "AD", "10C", "pass", "3", "no such move"]):
        office.reader.read(written(number, line, newest, address), address, str(newest["Reply-To"]))
        office.send_all()


def quote_hand(office: PostOffice, name: str, variant: str, card: str) -> None:
    """Let a reader queue a card of theirs, and write to the table from each mail program, which quotes their hand."""
    newest, address = office.mails_to(name)[-1], office[name].address
    body, to = newest.get_content(), str(newest["Reply-To"])
    assert "Your cards: " in body
    replies = [(program, f"{variant} chat 1\nwell played") for program in PROGRAMS]
    for number, (program, text) in enumerate([("gmail", f"{variant} queue 1 {card}"), *replies]):
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = address, to, f"Re: {newest['Subject']}"
        mail["Message-ID"] = f"<quoted.{number}@example.net>"
        mail.set_content(PROGRAMS[program](text, body, to))
        office.reader.read(mail.as_bytes(), address, to)
        office.send_all()


def texts_to(office: PostOffice, name: str) -> list[str]:
    """Return all mails to a reader, what a digest would say, and what others wrote to them."""
    office.services.accounts.mail_levels.set(office[name].id, "digest")
    office.services.followers.catch_up()
    digest = write_digest(office.services, office[name].id, 1)
    texts = [f"{mail.items()}\n{mail.get_content()}" for mail in office.mails_to(name)]
    chat = office[name].caller.get(f"/games/{GAME}/chat").get_json()["items"]
    assert digest is not None
    texts += [f"{digest.subject}\n{digest.body}", "\n".join(each["text"] for each in chat)]
    return [CHANGING.sub("*", DATE.sub("", text.replace("\r\n", "\n"))) for text in texts]


def stored(events: Events) -> Iterator[list[Entry]]:
    """Yield the entries of each commit, with correct links."""
    frontier = EMPTY
    for _, commit in groupby(events, key=lambda event: event.command):
        entries = list[Entry]()
        for event in commit:
            past = replace(event, at=YESTERDAY)
            raw = encode(past)
            entry = Entry(past, raw, frontier.root(), merkle_log.leaf(raw))
            frontier = frontier.append(entry.leaf)
            entries.append(entry)
        yield entries


def written(number: int, line: str, answered: EmailMessage, sender: str) -> bytes:
    """Return a mail with a line, the same in each world."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, str(answered["Reply-To"]), f"Re: {answered['Subject']}"
    mail["Message-ID"] = f"<{number}@example.net>"
    mail.set_content(f"{line}\n")
    return mail.as_bytes()


def lines(variant: str) -> list[str]:
    """Return a line of each command that shows anything of the game, and moves whatever anybody holds."""
    about = ("show", "showas", "hand", "transcript", "audit", "dispute", "join", "leave", "cancel")
    boards = [f"{word} 1" for word in about]
    past = [f"{word} 1#{version}" for word in ("show", "showas") for version in (1, 9, 20)]
    moves = [f"{word} 1 {move}" for word in ("move", "preview", "submit") for move in ("AD", "10C", "0", "KH#7")]
    queue = [f"queue 1 {move}" for move in ("AD", "2C", "KH", "if hearts led KH", "off")]
    lists = ("games", "games ann all", "history ann", "standings", "set", "help")
    of_game = (*boards, *past, *moves, *queue, *lists, "confirm 1", "show p1 all")
    return [*(f"{variant} {each}" for each in of_game), "list", "all show ann", "message", "set", "help"]


LEFT_OUT = {
    **dict.fromkeys(("undo", "propose", "accept", "reject", "claim", "resign"), "a move, as `move` is"),
    **dict.fromkeys(("signup", "add", "change", "code", "signoff", "delete"), "about an account, beside all games"),
    **dict.fromkeys(("chat", "broadcast", "challenge"), "shows nothing but what its player wrote, or a new game"),
    "multiple": "the answers to other lines",
}
"""Commands that no line is for, with the reason."""


def test_every_command_is_asked_in_both_worlds_or_left_out_for_a_reason() -> None:
    asked = {word for line in lines("pitch") for word in line.split()[:2]}
    commands = {*GAME_COMMANDS, *SERVER_COMMANDS}
    assert commands - asked - LEFT_OUT.keys() <= {"ratings"}  # figures of finished games alone
    assert asked.isdisjoint(LEFT_OUT)
