"""Recorded rounds of drand's quicknet, and the moments at which tests can name them."""

import json
from pathlib import Path

from domain.engine.timestamps import add_time
from domain.protocols.beacon import LEAD_S, publication_time

CHAIN = "drand/quicknet"
RECORDED = json.loads((Path(__file__).parents[1] / "domain" / "quicknet-rounds.json").read_text())["rounds"]
SIGNATURES: dict[int, str] = {each["round"]: each["signature"] for each in RECORDED}


def source_of(number: int) -> str:
    """Return the source that names this round."""
    return f"{CHAIN}/{number}"


def signature_of(source: str) -> str:
    """Return the recorded signature of a round by its source."""
    return SIGNATURES[int(source.rpartition("/")[2])]


def published(number: int) -> str:
    """Return when this round was published."""
    time = publication_time(source_of(number))
    assert time is not None
    return time


def last_moment_for(number: int) -> str:
    """Return the latest time of a commitment that names this round."""
    time = add_time(published(number), seconds=-LEAD_S)
    assert time is not None
    return time
