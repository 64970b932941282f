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


@pytest.mark.parametrize("body", [{"bid": 0}, {"bid": 5}, {"opponent": "Ann"}, {}])
def test_plain_values_are_loaded_unchanged(body: dict[str, object]) -> None:
    loaded = BODY.load(body)
    assert (loaded, [type(value) for value in loaded.values()]) == (body, [type(value) for value in body.values()])


@pytest.mark.parametrize("bid", [-1, 6, "3", 3.0, 0.5, True, None, [], {}, "\uff13", "\u0663", ""])
def test_other_values_than_integers_are_refused(bid: object) -> None:
    with pytest.raises(ValidationError) as caught:
        BODY.load({"bid": bid})
    assert "bid" in caught.value.messages


@pytest.mark.parametrize("query", [{}, {"after": "0"}, {"after": "100", "limit": "1"}])
def test_query_integers_are_read_and_have_a_default(query: dict[str, str]) -> None:
    limit = query.get("limit")
    wanted = {"after": int(query.get("after", 0)), "limit": None if limit is None else int(limit)}
    assert QUERY.load(query) == wanted


@pytest.mark.parametrize("after", ["", "-1", "01", "101", str(2**63), "1.0", "1e1", "\uff11", " 1", "text", "null"])
def test_other_query_integers_are_refused(after: str) -> None:
    with pytest.raises(ValidationError):
        QUERY.load({"after": after})


def test_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(ValidationError):
        QUERY.load({"seed": "1"})
