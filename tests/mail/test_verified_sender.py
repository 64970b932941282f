"""Authentication-Results prove a sender only by a whole property of a passed signature, whatever its writer put in."""

from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP

from api.mail.incoming.callers import is_verified
from api.mail.incoming.message import read_mail

OURS, SENDER = "mx.example.org", "ann@example.net"
PROOFS = {
    "plain": "dkim=pass header.d=example.net",
    "gmail": "dkim=pass header.i=@example.net header.s=20230601 header.b=GfYx/2+a;\n\tspf=pass (mx: domain of"
    " ann@example.net designates 192.0.2.1 as permitted sender) smtp.mailfrom=ann@example.net;\n\tdmarc=pass (p=NONE"
    " sp=NONE) header.from=example.net",
    "opendkim": 'dkim=pass (2048-bit key; unprotected) header.d=example.net header.i=@example.net header.b="q2+/=X"',
    "rspamd": "dkim=pass header.d=example.net header.s=mail header.b=abc;\r\n spf=none; dmarc=pass (policy=none)"
    " header.from=example.net",
    "second of two": "dkim=fail header.d=example.org; dkim=pass header.d=example.net",
    "last semicolon": "spf=pass; dkim=pass header.d=example.net;",
    "microsoft": "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=example.net; dkim=pass (signature was verified)"
    " header.d=example.net;dmarc=pass action=none header.from=example.net;compauth=pass reason=100",
    "parent": "dkim=pass header.d=EXAMPLE.net.",
    "nested comment": "dkim=pass (good (2048 bits) ok) header.d=example.net",
    "quoted elsewhere": 'spf=pass smtp.mailfrom="a; x"@example.org; dkim=pass header.d=example.net',
}
FORGERIES = {
    "semicolon in quotes": 'spf=pass smtp.mailfrom="a; dkim=pass header.d=example.net; x"@example.org; dkim=none',
    "property in quotes": 'dkim=pass header.i="header.d=example.net"@example.org header.d=example.org',
    "property in a reason": 'dkim=pass reason="header.d=example.net" header.d=example.org',
    "address in quotes": 'dkim=pass header.i="x@example.net"@example.org',
    "quotes that end in a backslash": r'spf=pass smtp.mailfrom="a\"; dkim=pass header.d=example.net; \"b"@example.org',
    "unbalanced quotes": 'spf=pass smtp.mailfrom="a; dkim=pass header.d=example.net',
    "comment in quotes": 'spf=pass smtp.mailfrom="("@example.org; dkim=fail (") header.d=example.org; dkim=pass'
    " header.d=example.net",
    "quotes in a comment": 'spf=pass (") smtp.mailfrom=x; dkim=pass header.d=example.net; (")',
    "end of a comment": "spf=pass (domain of a\\); dkim=pass header.d=example.net; (@example.org) smtp.mailfrom=x",
    "too many ends": "spf=pass (domain of a); dkim=pass header.d=example.net; b) smtp.mailfrom=x",
    "part of a name": "dkim=pass x-header.d=example.net header.d=example.org",
    "part of a value": "dkim=pass header.s=header.d=example.net header.d=example.org",
    "two domains": "dkim=pass header.d=example.org header.d=example.net",
    "identity of another domain": "dkim=pass header.i=@example.net header.d=example.org",
    "rest of a domain": "dkim=pass header.d=example.net/example.org",
    "glued comment": "dkim=pass header.s=x(c)header.d=example.net",
    "another method": "x-dkim=pass header.d=example.net",
    "top level": "dkim=pass header.d=net",
    "value without quotes": "spf=pass smtp.mailfrom=a; dkim=pass header.d=example.net; x@example.org; dkim=none",
    "empty result": "spf=pass smtp.mailfrom=a;; dkim=pass header.d=example.net",
    "too long": "dkim=pass header.d=example.net; " + "x=y " * 1000,
}


def test_results_as_mail_servers_write_them_are_read() -> None:
    for name, results in PROOFS.items():
        assert is_verified(SENDER, [f"{OURS}; {results}"], OURS), name
        assert not is_verified(SENDER, [f"mx.example.com; {results}"], OURS), name
        assert not is_verified("ann@example.org", [f"{OURS}; {results}"], OURS), name


def test_words_of_the_writer_prove_nothing() -> None:
    assert [name for name, each in FORGERIES.items() if is_verified(SENDER, [f"{OURS}; {each}"], OURS)] == []


def test_the_newest_results_of_our_server_count_alone() -> None:
    results = [f"{OURS}; dkim=none", f"{OURS}; dkim=pass header.d=example.net"]
    assert (is_verified(SENDER, results, OURS), is_verified(SENDER, results[::-1], OURS)) == (False, True)


def test_encoded_words_are_not_decoded_into_results() -> None:
    """An envelope's sender may be an encoded word: decoded, it would end the comment that names it."""
    forged = "=?utf-8?q?=29=3B_dkim=3Dpass_header=2Ed=3Dexample=2Enet=3B_spf=3Dpass_=28?="
    head = (
        f"From: {SENDER}\r\nAuthentication-Results: {OURS}; spf=pass (domain of {forged} x) smtp.mailfrom=y; dkim=none"
    )
    raw = f"{head}\r\n\r\nhello\r\n".encode()
    decoded = str(BytesParser(EmailMessage, policy=SMTP).parsebytes(raw)["Authentication-Results"])
    assert is_verified(SENDER, [decoded], OURS), "decoded, it's a forgery that no check can tell"
    assert not is_verified(SENDER, read_mail(raw, SENDER, "play@cards.example.org").results, OURS)
