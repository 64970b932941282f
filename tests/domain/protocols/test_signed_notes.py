"""Signed notes, checkpoints and proofs as text (docs/trust.md; C2SP signed-note, tlog-checkpoint and tlog-proof)."""

from collections.abc import Callable
from contextlib import suppress

import pytest

from domain.protocols.signed_notes import (
    DASH,
    PROOF,
    Checkpoint,
    ConsistencyProof,
    InclusionProof,
    Key,
    NotANote,
    Note,
    Signature,
    from_base64,
    game_origin,
    parse_checkpoint,
    parse_consistency,
    parse_inclusion,
    parse_key,
    parse_note,
    to_base64,
)

# Published keys and a published note: the checksum database of Go, and the example of its package `note`.
SUMDB = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
NEUMANN = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SIGNED = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
SIGNATURE = SIGNED.rpartition("\n\n")[2]
SOFA = (
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+"
    "zyWE+xeMcTOAYQ8=\n"
)
HASH = to_base64(bytes(range(32)))


def test_a_published_verifier_key_is_parsed_and_written() -> None:
    for text in (SUMDB, NEUMANN):
        key = parse_key(text)
        assert (key.text, key.label) == (text, "+".join(text.split("+")[:2]))


def test_a_published_note_is_parsed_and_written() -> None:
    note = parse_note(SIGNED)
    (signature,) = note.signatures
    assert (note.text, signature.name, signature.key_id.hex(), len(signature.signed)) == (
        SIGNED, "PeterNeumann", "c74f20a3", 64
    )  # fmt: skip
    assert signature.label == parse_key(NEUMANN).label
    assert note.body.endswith("problem is.\n")


def test_the_last_empty_line_separates_the_text_from_the_signatures() -> None:
    note = Note("one\n\ntwo\n", (Signature("name", b"1234", b"56"), Signature("other", b"1234", b"7")))
    assert parse_note(note.text) == note


def test_a_checkpoint_is_parsed_and_written() -> None:
    note = parse_note(SOFA)
    head = parse_checkpoint(note.body)
    assert (head.origin, head.size, head.body) == ("example.com/behind-the-sofa", 20852163, note.body)
    receipt = Checkpoint(game_origin("cards.example", "0f8f"), 7, bytes(32))
    assert receipt.body == f"cards.example/game/0f8f\n7\n{'A' * 43}=\n"
    assert parse_checkpoint(receipt.body) == receipt


def accepted(parse: Callable[[str], object], *texts: str) -> list[str]:
    """Return the texts that aren't refused."""
    found = []
    for text in texts:
        with suppress(NotANote):
            parse(text)
            found.append(text)
    return found


def test_a_malformed_note_is_refused() -> None:
    texts = (
        "", "\n\n", "text\n", "text\n\n", SIGNATURE, f"\n\n{SIGNATURE}",
        SIGNED[:-1], SIGNED[:-20], SIGNED + "\n", SIGNED + "more\n",
        SIGNED.replace(DASH, "- "), SIGNED.replace("— Peter", "—  Peter"), SIGNED.replace("PeterN", "Peter+N"),
        SIGNED.replace("JnAM=", "JnAN="), SIGNED.replace("JnAM=", "JnAM"), SIGNED.replace("JnAM=", "JnAM=="),
        SIGNED.replace("x08g", "x08 g"), SIGNED.replace("x08g", "\xe9"), "text\n\n— name AAAA\n",
        SIGNED.replace("\n", "\r\n"), SIGNED.replace("If", "\tIf"), SIGNED.replace("If", "\ud800"),
        SIGNED + SIGNED.rpartition("\n\n")[2] * 16,
        "x" * 70_000 + SIGNED
    )  # fmt: skip
    assert accepted(parse_note, *texts) == []


def test_a_malformed_key_is_refused() -> None:
    texts = (
        "", "name", "+00000000+AA==", "na me+033de0ae+" + SUMDB[24:], SUMDB.replace("033d", "033e"), SUMDB[:-4],
        SUMDB.replace("sum", "sun"), SUMDB.upper(), SUMDB.replace("+Ac4z", "+Bc4z"), SUMDB + "=",
        SUMDB.replace("An8", "An9"), "\ud800+00000000+" + SUMDB[24:]
    )  # fmt: skip
    assert accepted(parse_key, *texts) == []


def test_a_malformed_checkpoint_is_refused() -> None:
    texts = (
        f"o\n1\n{HASH}", f"o\n01\n{HASH}\n", f"o\n-1\n{HASH}\n", f"o\n{10**17}\n{HASH}\n", f"\n1\n{HASH}\n",
        f"o o\n1\n{HASH}\n", f"o\n1\n{HASH}\nmore\n", f"o\n1\n{HASH[:-4]}\n", "o\n1\n*\n", "o\n1\n",
        f"o\n\uff11\n{HASH}\n"
    )  # fmt: skip
    assert accepted(parse_checkpoint, *texts) == []


def test_proofs_are_written_and_parsed() -> None:
    for path in ((), (bytes(32), bytes(range(32)))):
        for extra in (None, b"", b"the event"):
            proof = InclusionProof(7, path, parse_note(SOFA), extra)
            assert parse_inclusion(proof.text) == proof
            assert proof.text.startswith(f"{PROOF}\n")
            assert proof.text.endswith(f"\n\n{SOFA}")
        grown = ConsistencyProof(7, path, parse_note(SOFA))
        assert parse_consistency(grown.text) == grown
        assert grown.text.startswith("old 7\n")


def test_a_malformed_proof_is_refused() -> None:
    one = InclusionProof(7, (bytes(range(32)),), parse_note(SOFA), b"the").text
    two = ConsistencyProof(7, (bytes(range(32)),), parse_note(SOFA)).text
    changes = (
        (PROOF, "c2sp.org/tlog-proof@v2"), ("index 7", "index 07"), ("index 7", "index -7"), ("index 7\n", ""),
        ("index 7", "index  7"), (HASH, HASH[:-4]), (f"{HASH}\n\n", f"{HASH}\n"), ("old 7", "old 07"),
        ("old 7", "new 7"), ("extra dGhl\n", "extra dGh\n"), ("extra dGhl\n", "extra dGhl\nextra dGhl\n")
    )  # fmt: skip
    for written, wrong in changes:
        assert (written in one) or (written in two), written
        for text, parse in ((one, parse_inclusion), (two, parse_consistency)):
            assert written not in text or accepted(parse, text.replace(written, wrong)) == []
    for parse in (parse_inclusion, parse_consistency):
        with pytest.raises(NotANote, match="a signed note"):
            parse(f"{PROOF}\nindex 0\n")


def test_a_note_with_witness_signatures_is_parsed() -> None:
    cosigned = parse_note(SOFA + "— witness.example/w1 " + to_base64(b"1234" + bytes(72)) + "\n")
    assert [each.name for each in cosigned.signatures] == ["example.com/behind-the-sofa", "witness.example/w1"]


def test_the_key_id_depends_on_name_and_key() -> None:
    ids = {Key(name, public).id for name in ("a", "b") for public in (bytes(32), bytes(31) + b"1")}
    assert len(ids) == 4


def test_only_canonical_base64_is_accepted() -> None:
    assert from_base64(HASH, "it") == bytes(range(32))
    for other in (HASH.rstrip("="), HASH + "\n", HASH[:-2] + "9=", HASH.replace("/", "_") + "="):
        with pytest.raises(NotANote, match="it is"):
            from_base64(other, "it")


def test_a_note_has_at_most_sixteen_signatures() -> None:
    sixteen = Note("text\n", tuple(Signature("name", b"1234", bytes([number])) for number in range(16)))
    assert parse_note(sixteen.text) == sixteen
    with pytest.raises(NotANote, match="at most 16 signatures"):
        parse_note(Note("text\n", (*sixteen.signatures, Signature("name", b"1234", b"x"))).text)


def test_a_note_has_at_most_64_kibibytes() -> None:
    note = Note("x\n", (Signature("name", b"1234", b"5"),))
    longest = Note("x" * (64 * 1024 + 1 - len(note.text)) + "\n", note.signatures)
    assert len(longest.text) == 64 * 1024
    assert parse_note(longest.text) == longest
    with pytest.raises(NotANote, match="moderate length"):
        parse_note("x" + longest.text)


SHORT = to_base64(b"1234")
FAULTS: list[tuple[Callable[[str], object], str, str]] = [
    (parse_key, "na me+1+AA==", "a verifier key is <name>+<8 hex digits>+<base64>"),
    (parse_key, "name+1+A*==", "the key isn't base64"),
    (parse_key, "name+1+AA=\n=", "the key isn't base64"),
    (parse_key, "name+1+AB==", "the key is base64, but not in its one spelling"),
    (parse_key, "name+1+AA==", "the key isn't an Ed25519 key"),
    (parse_key, SUMDB.replace("033d", "033e"), "the key id doesn't fit this name and key"),
    (parse_note, "\x00", "a note is UTF-8 text of moderate length, without control characters"),
    (parse_note, "text\n", "a signed note is a text, an empty line and signatures, each line with a newline"),
    (parse_note, "text\n\nname AAAA\n", "a signature line is an em dash, a key name and base64"),
    (parse_note, f"text\n\n{DASH}name {SHORT}\n", "the signature is too short"),
    (parse_note, f"text\n\n{DASH}name *\n", "the signature isn't base64"),
    (parse_checkpoint, "o\n1\n", "a checkpoint has three lines: origin, size and root"),
    (parse_checkpoint, f"o\n01\n{HASH}\n", "a checkpoint begins with the log's origin and its size"),
    (parse_checkpoint, f"o\n1\n{SHORT}\n", "a hash has 32 bytes"),
    (parse_checkpoint, "o\n1\n*\n", "a hash isn't base64"),
    (parse_inclusion, f"x\n\n{SOFA}", f"a proof of inclusion begins with {PROOF}"),
    (parse_inclusion, "x\n", "a proof is some lines, an empty line and a signed note"),
    (parse_inclusion, f"{PROOF}\n\n{SOFA}", "a line with index and a number is missing"),
    (parse_consistency, f"x\n\n{SOFA}", "a line with old and a number is missing"),
]


def test_what_is_wrong_with_a_note_is_said_exactly() -> None:
    for parse, text, says in FAULTS:
        with pytest.raises(NotANote) as refused:
            parse(text)
        assert str(refused.value) == says
