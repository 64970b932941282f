"""The fields of schemas accept one spelling of each value."""

import pytest
from marshmallow import ValidationError

from api.http.schemas import StrictSchema, integer_field, name_field, query_integer_field


class Body(StrictSchema):
    bid = integer_field(0, 5, required=False)
    opponent = name_field(required=False)


class Query(StrictSchema):
    after = query_integer_field(0, 100, default=0)
    limit = query_integer_field(1, 500)


BODY, QUERY = Body(), Query()


def test_plain_values_are_loaded_unchanged_and_other_values_than_integers_are_refused() -> None:
    for body in ({"bid": 0}, {"bid": 5}, {"opponent": "Ann"}, {}):
        loaded = BODY.load(body)
        assert (loaded, [type(value) for value in loaded.values()]) == (body, [type(value) for value in body.values()])
    others: list[object] = [-1, 6, "3", 3.0, 0.5, True, None, [], {}, "\uff13", "\u0663", ""]
    for bid in others:
        with pytest.raises(ValidationError) as caught:
            BODY.load({"bid": bid})
        assert "bid" in caught.value.messages


def test_query_integers_are_read_and_have_a_default_and_others_are_refused() -> None:
    assert QUERY.load({}) == {"after": 0, "limit": None}
    assert QUERY.load({"after": "100", "limit": "1"}) == {"after": 100, "limit": 1}
    for after in ("", "-1", "01", "101", str(2**63), "1.0", "1e1", "\uff11", " 1", "text", "null"):
        with pytest.raises(ValidationError):
            QUERY.load({"after": after})
    with pytest.raises(ValidationError):
        QUERY.load({"seed": "1"})
