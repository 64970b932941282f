"""A relay of drand's HTTP API, which the host has named: it answers with the signature of a round."""

from time import monotonic

import httpx
import msgspec

from domain.protocols.beacon import is_signed, parse_source

TIMEOUT_S = 5.0
"""How long an answer may take in all, give or take one read of it."""
READ_TIMEOUT_S = 2.0
MAX_ANSWER = 4096
"""The longest answer that is read, in bytes. A round has about 300."""


class NoSignature(Exception):
    """The relay gave no valid signature of the round in time. The message says why, without the answer's text."""


class _Round(msgspec.Struct):
    signature: str


class Relay:
    """Asks one relay. Redirects aren't followed and proxies aren't used."""

    def __init__(self, url: str, timeout_s: float = TIMEOUT_S) -> None:
        self._url, self._timeout_s = url.rstrip("/"), timeout_s
        self._client = httpx.Client(timeout=min(READ_TIMEOUT_S, timeout_s), trust_env=False, follow_redirects=False)

    def signature_of(self, source: str) -> str:
        """Return the signature of a round, verified. Raise NoSignature if the relay doesn't give it."""
        named = parse_source(source)
        if named is None:
            raise NoSignature("the round isn't known")
        chain, number = named
        try:
            answer = self._get(f"{self._url}/{chain.hash}/public/{number}")
            signature = msgspec.json.decode(answer, type=_Round).signature
        except httpx.HTTPError as error:
            raise NoSignature(f"no answer came ({type(error).__name__})") from error
        except msgspec.DecodeError as error:
            raise NoSignature("the answer isn't a round in JSON") from error
        if not is_signed(source, signature):
            raise NoSignature("the answer's signature isn't that of the round")
        return signature

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _get(self, url: str) -> bytes:
        until, body = monotonic() + self._timeout_s, b""
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        with self._client.stream("GET", url, headers=headers) as answer:
            if answer.status_code != httpx.codes.OK:
                raise NoSignature(f"the answer has the status {answer.status_code}")
            for part in answer.iter_raw():
                body += part
                if len(body) > MAX_ANSWER:
                    raise NoSignature("the answer is too long")
                if monotonic() > until:
                    raise NoSignature("the answer took too long")
        return body
