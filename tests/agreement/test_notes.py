"""The verifiers in Python, JavaScript and Go take the same texts for keys and for receipts."""

from base64 import b64encode
from collections.abc import Sequence

import pytest

from domain.protocols.signed_notes import Checkpoint, Key, Signature, game_origin
from replay.audit import CANNOT_TELL, GREEN
from replay.history import export_bytes
from replay.history.receipts import root_at, with_receipt
from tests.agreement.verdicts import FOUND, Verdicts, verdicts
from tests.campaigns.tamper.cuts import ends_of_commits
from tests.replay.playing import long
from tests.replay.signing import SERVER, WITNESS, cut
from tests.verifiers.go import Verifier
from tests.web.engines import Engine

pytestmark = pytest.mark.xdist_group("go")  # one worker builds the program

HISTORY = cut(long(4), min(ends_of_commits(long(4))))
GOOD = Verdicts(GREEN, GREEN, GREEN)
KEY = SERVER.key.text
STRANGE = (
    *range(0x21),
    *range(0x7F, 0xA1),
    0x1680,
    *range(0x2000, 0x2010),
    0x2028,
    0x2029,
    0x202F,
    0x205F,
    0x3000,
    0xFEFF,
)
"""Code points that count as space or control somewhere, and their neighbors."""
SIZE = len(HISTORY.lines)
BODY = Checkpoint(game_origin(SERVER.name, HISTORY.header.game), SIZE, root_at(HISTORY, SIZE)).body


def exported(receipt: str | None = None, *more: str) -> bytes:
    """Return the export with the server's key and others in its first line, and a receipt in its last."""
    return export_bytes(with_receipt(HISTORY, [KEY, *more], SERVER.receipt(HISTORY) if receipt is None else receipt))


def note(body: str = BODY, *more: str, gap: str = "\n") -> str:
    """Return a note that the server signed, with more signature lines."""
    return f"{body}{gap}{SERVER.signature(body).line}{''.join(more)}"


MALFORMED_KEYS = {
    "no key": "x",
    "nothing": "",
    "another id": KEY.replace(SERVER.key.id.hex(), "00000000"),
    "an id in capitals": KEY.replace(SERVER.key.id.hex(), SERVER.key.id.hex().upper()),
    "a line feed after it": f"{KEY}\n",
    "a carriage return after it": f"{KEY}\r",
    "a line feed within its base64": f"{KEY[:-4]}\n{KEY[-4:]}",
    "a blank after it": f"{KEY} ",
    "a blank before it": f" {KEY}",
    "without its end": KEY[:-4],
    "bytes after it": f"{KEY[:-44]}{b64encode(b'1' + SERVER.key.public + b'1').decode()}",
    "the key of a witness": WITNESS.key.text,
    "no name": Key("", SERVER.key.public).text,
    "a name of 256 letters": Key("n" * 256, SERVER.key.public).text,
}


@pytest.mark.parametrize("keys", [(), (SERVER.key,)], ids=["no key given", "a key given"])
def test_an_invalid_key_in_the_first_line_is_wrong_whatever_key_is_given(
    keys: Sequence[Key], engine: Engine, verifier: Verifier
) -> None:
    exports = {name: exported(None, text) for name, text in MALFORMED_KEYS.items()}
    found = verdicts(exports, engine, verifier, keys)
    assert found == dict.fromkeys(MALFORMED_KEYS, FOUND)
    longest = {"a name of 255 letters": exported(None, Key("n" * 255, SERVER.key.public).text)}
    assert verdicts(longest, engine, verifier, keys) == dict.fromkeys(longest, GOOD)


def test_the_names_of_keys_and_signers_have_the_same_letters_everywhere(engine: Engine, verifier: Verifier) -> None:
    named = {f"U+{point:04X}": f"a{chr(point)}b" for point in STRANGE}
    keys = {name: exported(None, Key(text, SERVER.key.public).text) for name, text in named.items()}
    signers = {
        f"{name} signs": exported(note(BODY, Signature(text, bytes(4), bytes(64)).line)) for name, text in named.items()
    }
    found = verdicts(keys | signers, engine, verifier)
    assert {name: each for name, each in found.items() if each not in (GOOD, FOUND)} == {}
    taken = {name for name, each in found.items() if each == GOOD}
    assert {name for name in named if name in taken} == {name for name in named if f"{name} signs" in taken}
    assert {name for name in named if name in taken} == {
        f"U+{point:04X}" for point in (*range(0x80, 0x85), *range(0x86, 0xA0), *range(0x200B, 0x2010))
    }


def test_all_take_and_refuse_the_same_receipts(engine: Engine, verifier: Verifier) -> None:
    origin, size, root, _ = BODY.split("\n")
    line = SERVER.signature(BODY).line
    other = Signature("other.example", bytes(4), bytes(64)).line
    malformed = {
        "a line feed after the root": note(f"{origin}\n{size}\n{root}\n\n"),
        "a carriage return after the root": note(f"{origin}\n{size}\n{root}\r\n"),
        "a blank after the size": note(f"{origin}\n{size} \n{root}\n"),
        "a zero before the size": note(f"{origin}\n0{size}\n{root}\n"),
        "a plus before the size": note(f"{origin}\n+{size}\n{root}\n"),
        "a line more": note(f"{BODY}more\n"),
        "a blank in the origin": note(f"{origin} x\n{size}\n{root}\n"),
        "an origin of 300 letters": note(f"{SERVER.name}/game/{'x' * 300}\n{size}\n{root}\n"),
        "no body": note(""),
        "no gap": note(gap=""),
        "two gaps": note(gap="\n\n"),
        "a carriage return in the signature": note().replace("=\n", "\r=\n"),
        "a line feed in the signature": note()[:-5] + "\n" + note()[-5:],
        "a tab in the signature": note().replace(" ", "\t"),
        "two blanks in the signature": f"{BODY}\n{line.replace(' ', '  ')}",
        "no line feed at the end": note()[:-1],
        "an empty line at the end": note() + "\n",
        "a short signature": note(BODY, Signature("other.example", bytes(3), b"").line),
        "16 more signatures": note(BODY, *[other] * 16),
        "64 KiB of signatures": note(BODY, Signature("other.example", bytes(4), bytes(50_000)).line),
        "a control character": note(BODY, Signature("other.ex\x01ample", bytes(4), bytes(64)).line),
        "empty": "",
    }
    found = verdicts({name: exported(text) for name, text in malformed.items()}, engine, verifier)
    assert found == dict.fromkeys(malformed, FOUND)
    right = {"plain": note(), "15 more signatures": note(BODY, *[other] * 15)}
    found = verdicts({name: exported(text) for name, text in right.items()}, engine, verifier)
    assert found == dict.fromkeys(right, GOOD)


@pytest.mark.parametrize("origin", [SERVER.name, f"{SERVER.name}/keys"])
def test_a_note_of_an_unknown_key_over_another_kind_of_log_is_undecided(
    origin: str, engine: Engine, verifier: Verifier
) -> None:
    _, rest = BODY.split("\n", 1)
    unknown = {origin: export_bytes(with_receipt(HISTORY, [], note(f"{origin}\n{rest}")))}
    assert verdicts(unknown, engine, verifier) == {origin: Verdicts(CANNOT_TELL, CANNOT_TELL, CANNOT_TELL)}
    assert verdicts(unknown, engine, verifier, [SERVER.key]) == {origin: FOUND}
