"""The stored bytes of an event."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from rich.pretty import pretty_repr

from domain.events import FACTS, codec
from domain.events.codec import Unreadable, decode, encode, topic
from domain.protocols.merkle_log import canonical
from tests.given import auction, deal, events, game_opened, state_of

HANDS = ["AC KC 2D 3D 4D 5D", "2C 3C 6D 7D 8D 9D"]
EVENTS = events((game_opened(2), *deal(HANDS), *auction(3, 0)))


def test_an_event_is_encoded_canonically_and_decoded_unchanged() -> None:
    for event in EVENTS:
        raw = encode(event)
        assert raw == canonical(json.loads(raw))
        assert decode(raw) == decode(raw, event.fact) == event
    assert {topic(event) for event in EVENTS} >= {"GameOpened/3", "CardsDealt/1", "BidMade/1"}
    assert set(codec._decoders) == set(FACTS)


def _changed(**fields: Any) -> bytes:
    return canonical(json.loads(encode(EVENTS[-1])) | fields)


def test_bytes_that_are_no_event_are_unreadable() -> None:
    for raw, why in (
        (b"", "an event in canonical JSON"),
        (b"\xff\xfe", "an event in canonical JSON"),
        (b"[]", "an event in canonical JSON"),
        (_changed(fact="Import"), "names an unknown fact"),
        (_changed(v=2), "newer than this program"),
        (_changed(v="1"), "an event in canonical JSON"),
        (_changed(v=0), "its v isn't the number of a version"),
        (_changed(data={"seat": 1}), "the field bid is missing"),
        (_changed(data=None), "its fields aren't those of AuctionWon"),
        (_changed(version="7"), "its fields aren't those of AuctionWon"),
    ):
        with pytest.raises(Unreadable, match=why):
            pytest.fail(f"{raw!r} was read as {decode(raw)}")
    with pytest.raises(Unreadable):
        decode(encode(EVENTS[-1]), "GameOpened")


def test_rules_of_an_unknown_version_are_unreadable() -> None:
    written = json.loads(encode(EVENTS[0]))
    written["data"]["rules"]["rules_v"] = 0
    with pytest.raises(Unreadable, match="rules version 0"):
        decode(canonical(written))


@pytest.mark.parametrize("told", [repr, pretty_repr])
def test_no_repr_shows_a_secret(told: Callable[[object], str]) -> None:
    seed, dealt = EVENTS[2], EVENTS[4]
    assert seed.data.seed not in told(seed)
    assert seed.salt not in told(seed)
    assert "AC" not in told(dealt)
    state = state_of((game_opened(2), *deal(HANDS)))
    assert "AC" not in told(state.hand)
    assert seed.data.seed not in told(state)


def test_equal_rules_are_read_once_and_wrong_ones_not_at_all() -> None:
    raw = _changed_opening()
    assert decode(raw).data.rules is decode(_changed_opening(board=8)).data.rules
    assert decode(raw).data == EVENTS[0].data
    with pytest.raises(Unreadable, match="its fields aren't those of GameOpened"):
        decode(_changed_opening(rules=json.loads(raw)["data"]["rules"] | {"goal": "none"}))
    with pytest.raises(Unreadable, match="an event in canonical JSON"):
        decode(raw.replace(b'"variant":"pitch"', b'"variant":"\xff"'))


def _changed_opening(**fields: Any) -> bytes:
    opened = json.loads(encode(EVENTS[0]))
    return canonical(opened | {"data": opened["data"] | fields})
