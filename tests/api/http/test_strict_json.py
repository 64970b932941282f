"""The limits of a body, a query and a path (docs/http.md)."""

import gzip
import json

import pytest
from flask import Flask, Request, jsonify, request
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError
from werkzeug.test import EnvironBuilder

from api.app import bare_app
from api.config import Config
from api.problem import Problem
from api.schemas import MAX_DEPTH, MAX_INTEGER, parse_integer, parse_object
from api.web.exception_handlers import sentences_of
from api.web.request_input import CONVERTERS, read_json, read_query
from tests.api.conftest import check_problem


def make_request(body: bytes, **headers: str) -> Request:
    """Return a WSGI request; `content_type` is application/json by default."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    content_type = named.pop("content-type", "application/json")
    builder = EnvironBuilder(method="POST", data=body, content_type=content_type, headers=list(named.items()))
    return Request(builder.get_environ())


MALFORMED = {
    "empty": (b"", "The body is empty"),
    "blank": (b" ", "valid JSON: Expecting value"),
    "cut off": (b'{"a":', "line 1, column 6"),
    "single quotes": (b"{'a':1}", "valid JSON"),
    "trailing comma": (b'{"a":1,}', "valid JSON"),
    "text after it": (b'{"a":1}x', "Extra data"),
    "invalid UTF-8": (b'{"a":"\xff"}', "valid UTF-8 at byte 6"),
    "surrogate in UTF-8": (b'{"a":"\xed\xa0\x80"}', "valid UTF-8"),
    "overlong UTF-8": (b'{"a":"\xc0\xaf"}', "valid UTF-8"),
    "UTF-8 beyond Unicode": (b'{"a":"\xf5\x80\x80\x80"}', "valid UTF-8"),
    "BOM": (b'\xef\xbb\xbf{"a":1}', "byte order mark"),
    "UTF-16": ('{"a":1}'.encode("utf-16"), "valid UTF-8"),
    "UTF-16 without a mark": ('{"a":1}'.encode("utf-16-le"), "valid JSON"),
    "UTF-32 without a mark": ('{"a":1}'.encode("utf-32-be"), "valid JSON"),
    "NaN": (b'{"a":NaN}', "a must be a whole number"),
    "Infinity": (b'{"a":[-Infinity]}', "a[0] must be a whole number"),
    "1e999": (b'{"a":1e999}', "a must be a whole number"),
    "1e2": (b'{"a":1e2}', "a must be a whole number"),
    "float": (b'{"a":0.5}', "a must be a whole number"),
    "leading zero": (b'{"a":01}', "valid JSON"),
    "a point without digits": (b'{"a":.5}', "valid JSON"),
    "a plus": (b'{"a":+1}', "valid JSON"),
    "hexadecimal": (b'{"a":0x1}', "valid JSON"),
    "-0.0": (b'{"a":-0.0}', "a must be a whole number"),
    "full-width digit": ('{"a":\uff11}'.encode(), "valid JSON"),
    "2^53": (b'{"a":9007199254740992}', "a must be a whole number of at most 2^53"),
    "-2^53": (b'{"a":-9007199254740992}', "a must be a whole number of at most 2^53"),
    "5000 digits": (b'{"a":' + b"9" * 5000 + b"}", "a must be a whole number of at most 2^53"),
    "33 deep": (b'{"a":' + b"[" * 32 + b"]" * 32 + b"}", "nested more than 32 levels deep"),
    "8000 nested arrays": (b"[" * 8000 + b"]" * 8000, "nested more than 32 levels deep"),
    "8000 nested objects": (b'{"a":' * 8000 + b"1" + b"}" * 8000, "nested more than 32 levels deep"),
    "60000 opened arrays": (b"[" * 60000, "nested more than 32 levels deep"),
    "duplicate key": (b'{"a":1,"b":2,"a":1}', "The body contains the key 'a' twice"),
    "duplicate key, escaped": (b'{"a":{"\\u0062":1,"b":2}}', "a contains the key 'b' twice"),
    "lone surrogate": (b'{"a":"\\ud800"}', "a contains a lone surrogate at position 0"),
    "lone surrogate in a key": (b'{"\\udc00":1}', "A key of the body contains a lone surrogate"),
    "NUL": (b'{"a":["x\\u0000"]}', "a[0] contains a control character at position 1"),
    "control beyond ASCII": (b'{"a":"\\u009b31m"}', "a contains a control character"),
    "CRLF": (b'{"a":"x\\r\\ny"}', "a contains a control character at position 1"),
    "an escape sequence": (b'{"a":"\\u001b[2J"}', "a contains a control character at position 0"),
    "raw NUL": (b'{"a":"x\x00y"}', "Invalid control character"),
    "raw newline": (b'{"a":"x\ny"}', "Invalid control character"),
    "odd key in the place": (b'{"a b":{"c":0.5}}', "['a b'].c must be a whole number"),
    "top-level list": (b"[1]", "must be a JSON object"),
    "top-level text": (b'"text"', "must be a JSON object"),
    "top-level number": (b"1", "must be a JSON object"),
    "top-level null": (b"null", "must be a JSON object"),
}
"""Bodies, and what their refusal says."""


@pytest.mark.parametrize("case", MALFORMED)
def test_a_malformed_body_is_refused_with_the_error_and_its_place(case: str) -> None:
    body, why = MALFORMED[case]
    with pytest.raises((Problem, ValidationError)) as caught:
        read_json(make_request(body))
    if isinstance(caught.value, Problem):
        assert (caught.value.slug, why in str(caught.value)) == ("malformed", True)
    elif isinstance(caught.value, ValidationError):
        assert why in " ".join(sentences_of(caught.value.messages))


def test_a_valid_body_is_read_unchanged() -> None:
    for body, value in (
        (b"{}", {}),
        (b' {"a":1}\n', {"a": 1}),
        (b'{"a":-0}', {"a": 0}),
        (b'{"a":9007199254740991,"b":-9007199254740991}', {"a": MAX_INTEGER, "b": -MAX_INTEGER}),
        (b'{"a":[true,false,null,"\\ud83c\\udca1"]}', {"a": [True, False, None, "\U0001f0a1"]}),
        ('{"é":"ü"}'.encode(), {"é": "ü"}),
        (b'{"__proto__":{"_type_":"x"}}', {"__proto__": {"_type_": "x"}}),
    ):
        assert read_json(make_request(body)) == value
    deep = b'{"a":' + b"[" * (MAX_DEPTH - 1) + b"]" * (MAX_DEPTH - 1) + b"}"
    assert json.dumps(parse_object(deep), separators=(",", ":")).encode() == deep


def test_json_in_utf8_is_accepted_and_any_other_content_type_charset_or_encoding_is_unsupported() -> None:
    for accepted in ("application/json", "application/json; charset=utf-8", 'Application/JSON; charset="UTF-8"'):
        assert read_json(make_request(b"{}", content_type=accepted)) == {}
    other_types = (
        "", "text/plain", "text/json", "application/problem+json", "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x", "application/json; charset=latin-1", "application/json; charset=utf-16",
        "application/json; charset=utf-7", f"application/json; charset={'x' * 200}",
    )  # fmt: skip
    others = [{"content_type": each} for each in other_types]
    for headers in (*others, {"Content_Encoding": "gzip"}, {"Content_Encoding": "identity, gzip"}):
        with pytest.raises(Problem) as caught:
            read_json(make_request(gzip.compress(b"{}"), **headers))
        assert caught.value.slug == "unsupported-media-type"


@given(st.binary(max_size=200) | st.text(alphabet='{}[]",:\\u0129eE+-.ndltrfasN ', max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused_as_a_problem(body: bytes) -> None:
    try:
        value = parse_object(body)
    except Problem:
        return
    assert json.loads(body) == value


@pytest.fixture(scope="module")
def echo() -> Flask:
    """An app with a route for each kind of input."""
    app = bare_app(Config(body_limit=64))
    app.add_url_rule("/body", "body", lambda: jsonify(read_json(request)), methods=["POST"])
    app.add_url_rule("/query", "query", lambda: jsonify(dict(read_query(request))))
    app.add_url_rule("/n/<strictint:n>", "n", jsonify)
    app.add_url_rule("/g/<game_ref:game>", "g", jsonify)
    return app


def test_a_body_at_the_limit_is_read_and_one_over_it_is_too_large(echo: Flask) -> None:
    body = b'{"a":"' + b"x" * 56 + b'"}'
    assert len(body) == 64
    client = echo.test_client()
    assert client.post("/body", data=body, content_type="application/json").status_code == 200
    longer = client.post("/body", data=b" " + body, content_type="application/json")
    assert str(check_problem(longer, 413, "too-large")["detail"]).endswith("Send at most 64 bytes.")


GAME = "6fa459ea-ee8a-3ca4-894e-db77e160355e"


def test_plain_numbers_and_game_references_find_their_route_and_any_other_spelling_does_not(echo: Flask) -> None:
    for number in (0, 7, 999999999):
        assert echo.test_client().get(f"/n/{number}").json == {"n": number}
    for game in ("1", "999999999", GAME):
        assert echo.test_client().get(f"/g/{game}").json == {"game": game}
    for other in (
        "/n/01", "/n/\uff11", "/n/%EF%BC%91", "/n/-1", "/n/+1", "/n/1.0", "/n/1%20", "/n/1%0A", "/n/1000000000",
        "/n/2147483648", "/n/" + "1" + "0" * 26, "/n/", "/n//1", "/g/0", "/g/01", "/g/1000000000", "/g/2147483648",
        "/g/" + "9" * 5000, f"/g/{GAME.upper()}", f"/g/{GAME.replace('-', '')}", f"/g/%7B{GAME}%7D", "/g/%2e%2e%2f1",
        "/g/1%00", "/g/..",
    ):  # fmt: skip
        check_problem(echo.test_client().get(other), 404, "not-found")


def test_references_are_written_in_the_spelling_that_is_read() -> None:
    assert set(CONVERTERS) == {"strictint", "game_ref"}
    app = bare_app(Config())
    app.add_url_rule("/g/<game_ref:game>/<strictint:n>", "g", lambda game, n: f"{game}{n}")
    with app.test_request_context():
        assert app.url_for("g", game="12", n=3) == "/g/12/3"


def test_a_query_is_read_and_one_with_repeats_or_control_characters_is_malformed(echo: Flask) -> None:
    assert echo.test_client().get("/query?a=1&b=x%20y").json == {"a": "1", "b": "x y"}
    for query in ("a=1&a=1", "a=%00", "a%0D%0A=1", "a=\x9b"):
        check_problem(echo.test_client().get("/query?" + query), 400, "malformed")


def test_plain_digits_are_an_integer_and_other_spellings_are_no_integer() -> None:
    for number in (0, 10, MAX_INTEGER):
        assert parse_integer(str(number)) == number
    for text in ("", "-1", "+1", "01", "1 ", "1\n", "\uff11", "1e2", "0x1", str(MAX_INTEGER + 1), "9" * 5000):
        assert parse_integer(text) is None
