"""Whether the address in From is proven: by a DKIM signature of its domain that our own mail server has checked.

The mail server writes what it found into Authentication-Results (RFC 8601) under its own name. Results under any other
name are ignored: anybody who sends a mail can write them. Results under its name still hold words of the mail's writer,
such as the envelope's sender, in quotes or comments. So only whole words count, and a header that isn't plainly a list
of results proves nothing.
"""

import re
from collections.abc import Iterable, Sequence

MOST_CHARACTERS = 4000
COMMENT = r"\((?:[^()\"\\]|\([^()\"\\]*+\))*+\)"
"""A comment, with others in it at most. Quotes and backslashes have no place there: readers differ about their end."""
WORD = r"(?:[^\s\"();\\]|\"(?:[^\"\\]|\\.)*+\")++"
TOKENS = re.compile(rf"(?:\s++|;|(?:{COMMENT}|{WORD})(?=[\s;]|$))*+")
WORDS = re.compile(rf"{COMMENT}|{WORD}|;")
RESULT = re.compile(r"[a-z0-9-]{1,64}(?:/[0-9]{1,4})?=[a-z]+", re.IGNORECASE)
PROPERTY = re.compile(r"[a-z0-9-]{1,64}(?:\.[a-z0-9_-]{1,64})?=.+", re.IGNORECASE)
PASSED = re.compile(r"dkim(?:/1)?=pass", re.IGNORECASE)
SIGNED_BY = re.compile(r"header\.d=([a-z0-9.-]{1,253})", re.IGNORECASE)
SIGNED_FOR = re.compile(r"header\.i=[^@\"]*@([a-z0-9.-]{1,253})", re.IGNORECASE)
NAMES_SIGNER = re.compile(r"header\.([di])=", re.IGNORECASE)


def is_verified(sender: str, results: Iterable[str], authserv: str | None) -> bool:
    """Return whether the newest results of our mail server say that a domain of the sender has signed the mail."""
    if authserv is None:
        return False
    ours = next((found for each in results if (found := _results_of(each, authserv)) is not None), ())
    domain = sender.rpartition("@")[2]
    return any(signed is not None and _is_aligned(domain, signed) for signed in map(_signed_domain, ours))


def _results_of(header: str, authserv: str) -> Sequence[Sequence[str]] | None:
    """Return the results of a header under our server's name, each as its words; None under another one."""
    name, *results = _parts(header)
    if not name or name[0].lower() != authserv:
        return None
    results = results[:-1] if results and not results[-1] else results  # after a last semicolon
    return results if all(map(_is_result, results)) else ()


def _parts(header: str) -> list[list[str]]:
    """Return the words between the semicolons of a header; no words if it isn't plainly a list of results."""
    parts: list[list[str]] = [[]]
    if len(header) > MOST_CHARACTERS or TOKENS.fullmatch(header) is None:
        return parts
    for word in WORDS.findall(header):
        if word == ";":
            parts.append([])
        elif not word.startswith("("):
            parts[-1].append(word)
    return parts


def _is_result(words: Sequence[str]) -> bool:
    """Return whether words are a method with its result, and properties: otherwise a value was taken apart."""
    return bool(words and RESULT.fullmatch(words[0]) and all(map(PROPERTY.fullmatch, words[1:])))


def _signed_domain(words: Sequence[str]) -> str | None:
    """Return the domain whose signature has passed, or None if a result says no such thing, or says it twice."""
    if not words or not PASSED.fullmatch(words[0]):
        return None
    named = {"d": list[str](), "i": list[str]()}
    for word in words[1:]:
        if (match := NAMES_SIGNER.match(word)) is not None:
            named[match[1].lower()].append(word)
    found, pattern = (named["d"], SIGNED_BY) if named["d"] else (named["i"], SIGNED_FOR)
    match = pattern.fullmatch(found[0]) if len(found) == 1 else None
    return None if match is None else match[1].lower().rstrip(".")


def _is_aligned(domain: str, signed: str) -> bool:
    """Return whether a signature's domain is the sender's, or a parent of it with at least two labels."""
    return domain == signed or ("." in signed and domain.endswith(f".{signed}"))
