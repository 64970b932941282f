"""The address that clients use: whether a proxy answers there, and whether the settings fit it."""

from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx

from api.config import Config
from api.ops.doctor.symptom import Symptom, ok, wrong

TIMEOUT_S = 10.0
OWN_NAME = "trickbook"


def look_at_address(url: str, config: Config) -> Iterator[Symptom]:
    """Yield what a client finds at the server's public address."""
    base = url.rstrip("/")
    try:
        with httpx.Client(timeout=TIMEOUT_S, follow_redirects=False) as client:
            ready = client.get(f"{base}/health/ready")
            yield from _health(base, ready)
            yield from _proxies(ready, config)
            if not _is_local(base) and client.get(f"{base}/metrics").status_code == 200:
                yield wrong("proxies", f"anybody can read {base}/metrics. Don't let the proxy pass this address on")
    except httpx.HTTPError as error:
        yield wrong("address", f"{base} doesn't answer: {type(error).__name__}: {error}")
        return
    if urlsplit(base).scheme == "http" and not _is_local(base):
        yield wrong("address", f"{base} isn't encrypted: passwords and cards can be read on the way. Use https")


def _health(base: str, ready: httpx.Response) -> Iterator[Symptom]:
    if ready.is_redirect:
        yield wrong("address", f"{base} leads to {ready.headers.get('Location')}. Name that address instead")
    elif ready.status_code != 200:
        yield wrong("address", f"{base}/health/ready answers {ready.status_code}: {_detail(ready)}")
    else:
        yield ok("address", f"{base}/health/ready answers 200")


def _detail(answer: httpx.Response) -> str:
    """Return what a problem says, or the beginning of another answer, as of a proxy."""
    with suppress(ValueError, KeyError, TypeError):
        return str(answer.json()["detail"])
    return answer.text[:200].strip()


def _proxies(ready: httpx.Response, config: Config) -> Iterator[Symptom]:
    names = [name for name in ready.headers.get_list("Server", split_commas=True) if name != OWN_NAME]
    proxy = names[0] if names else ready.headers.get("Via")
    if proxy is not None and config.trusted_proxies == 0:
        advice = "limits count all clients as one. Set it"
        yield wrong("proxies", f"{proxy} answers there, but TRICKBOOK_TRUSTED_PROXIES is 0: {advice}")
    elif proxy is None and config.trusted_proxies:
        count = config.trusted_proxies
        yield wrong(
            "proxies",
            f"TRICKBOOK_TRUSTED_PROXIES is {count}, but no proxy answers there: clients can make up their addresses",
        )
    else:
        yield ok("proxies", f"TRICKBOOK_TRUSTED_PROXIES is {config.trusted_proxies}, as it looks from outside")


def _is_local(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
