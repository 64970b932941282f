"""Signed notes, requests to a witness and cosignatures, made and checked here as C2SP specifies them."""

import asyncio
import hashlib
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from api.receipts.witness import Witness
from api.receipts.witness_server import WitnessServer
from domain.protocols.signed_notes import parse_key
from tests.api.log_reference import leaf, roots
from tests.commands import run
from tests.event_loop import run_coroutine

LOG_TYPE, WITNESS_TYPE = b"\x01", b"\x04"
NAME, LOG_NAME = "bob.example/witness", "cards.example"
LEAVES = [leaf(bytes([number])) for number in range(20)]
FORK = [*LEAVES[:5], leaf(b"another"), *LEAVES[6:]]


def base64(raw: bytes) -> str:
    return b64encode(raw).decode()


def proof(leaves: Sequence[bytes], old: int, *, whole: bool = True) -> list[bytes]:
    """Return the consistency proof from the first `old` leaves to all (RFC 6962, 2.1.2)."""
    if old == len(leaves):
        return [] if whole else [roots(leaves)[-1]]
    half = 1 << (len(leaves) - 1).bit_length() - 1
    if old <= half:
        return [*proof(leaves[:half], old, whole=whole), roots(leaves[half:])[-1]]
    return [*proof(leaves[half:], old - half, whole=False), roots(leaves[:half])[-1]]


@dataclass(frozen=True)
class Signer:
    """A key with a name, made from a text: of a log, or of a witness whose clock stands still."""

    name: str = LOG_NAME
    kind: bytes = LOG_TYPE
    drawn_from: str = "1"

    @property
    def private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(self.drawn_from.encode()).digest())

    @property
    def public(self) -> bytes:
        return self.kind + self.private.public_key().public_bytes_raw()

    @property
    def id(self) -> bytes:
        return hashlib.sha256(self.name.encode() + b"\n" + self.public).digest()[:4]

    @property
    def vkey(self) -> str:
        return f"{self.name}+{self.id.hex()}+{base64(self.public)}"

    def line(self, text: str, seconds: int = 1_800_000_000) -> str:
        """Return the line of a signature over a note's text, which ends with a line feed."""
        if self.kind == LOG_TYPE:
            signed = self.private.sign(text.encode())
        else:
            signed = seconds.to_bytes(8, "big") + self.private.sign(f"cosignature/v1\ntime {seconds}\n{text}".encode())
        return f"— {self.name} {base64(self.id + signed)}\n"


LOG = Signer()


def head(game: str, leaves: Sequence[bytes], more: str = "") -> str:
    """Return the text of a checkpoint over all these leaves."""
    return f"{LOG_NAME}/game/{game}\n{len(leaves)}\n{base64(roots(leaves)[-1])}\n{more}"


def request(old: int, path: Sequence[bytes], text: str, *signers: Signer) -> str:
    """Return the body of a request, signed by these signers, or by LOG alone."""
    lines = "".join(signer.line(text) for signer in signers or (LOG,))
    return f"old {old}\n" + "".join(f"{base64(each)}\n" for each in path) + f"\n{text}\n{lines}"


def growth(game: str, old: int, size: int, leaves: Sequence[bytes] = LEAVES) -> str:
    """Return the request for a head of `size` leaves after one of `old`."""
    return request(old, proof(leaves[:size], old) if old else [], head(game, leaves[:size]))


def check_cosignature(line: str, vkey: str, text: str) -> int:
    """Check that the line is a cosignature of this text by the key, byte by byte, and return its time."""
    name, key_id, key = vkey.split("+", 2)
    public = b64decode(key, validate=True)
    assert (public[:1], len(public)) == (WITNESS_TYPE, 33)
    assert hashlib.sha256(name.encode() + b"\n" + public).digest()[:4].hex() == key_id
    dash, signer, packed = line.removesuffix("\n").split(" ")
    raw = b64decode(packed, validate=True)
    assert (line[-1], dash, signer, raw[:4].hex(), len(raw)) == ("\n", "\u2014", name, key_id, 76)
    seconds = int.from_bytes(raw[4:12], "big")
    message = f"cosignature/v1\ntime {seconds}\n{text}".encode()
    Ed25519PublicKey.from_public_bytes(public[1:]).verify(raw[12:], message)
    return seconds


def create(folder: Path) -> str:
    """Make a witness, and return its public key."""
    return run("witness", "init", NAME, "--folder", str(folder)).stdout.removesuffix("\n")


def serving(folder: Path, *keys: str) -> WitnessServer:
    """Start a witness that trusts these keys of servers."""
    return WitnessServer(Witness(folder), [parse_key(key) for key in keys])


def send_at_once(server: WitnessServer, bodies: Sequence[str]) -> list[httpx.Response]:
    """Send these requests at the same time."""

    async def post() -> list[httpx.Response]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(server), base_url="http://witness") as client:
            return await asyncio.gather(*(client.post("/add-checkpoint", content=body.encode()) for body in bodies))

    return run_coroutine(post())


def send(server: WitnessServer, body: str) -> httpx.Response:
    return send_at_once(server, [body])[0]
