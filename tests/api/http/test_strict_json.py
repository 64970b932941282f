"""What a body, a query and a path may hold (docs/trust.md)."""

import gzip
import json

import pytest
from flask import Flask, Request, jsonify, request
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.test import EnvironBuilder

from api.app import bare_app
from api.config import Config
from api.http.problems import Problem
from api.http.strict_json import CONVERTERS, MAX_DEPTH, MAX_INTEGER, parse_integer, parse_object, read_json, read_query
from tests.api.conftest import check_problem


def make_request(body: bytes, **headers: str) -> Request:
    """Return a WSGI request; `content_type` is application/json by default."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    content_type = named.pop("content-type", "application/json")
    builder = EnvironBuilder(method="POST", data=body, content_type=content_type, headers=list(named.items()))
    return Request(builder.get_environ())


@pytest.mark.parametrize(
    ("body", "why"),
    [
        pytest.param(b"", "The body is empty", id="empty"),
        pytest.param(b" ", "valid JSON: Expecting value", id="blank"),
        pytest.param(b'{"a":', "line 1, column 6", id="cut off"),
        pytest.param(b"{'a':1}", "valid JSON", id="single quotes"),
        pytest.param(b'{"a":1,}', "valid JSON", id="trailing comma"),
        pytest.param(b'{"a":1}x', "Extra data", id="text after it"),
        pytest.param(b'{"a":"\xff"}', "valid UTF-8 at byte 6", id="invalid UTF-8"),
        pytest.param(b'{"a":"\xed\xa0\x80"}', "valid UTF-8", id="surrogate in UTF-8"),
        pytest.param(b'\xef\xbb\xbf{"a":1}', "byte order mark", id="BOM"),
        pytest.param('{"a":1}'.encode("utf-16"), "valid UTF-8", id="UTF-16"),
        pytest.param('{"a":1}'.encode("utf-16-le"), "valid JSON", id="UTF-16 without a mark"),
        pytest.param('{"a":1}'.encode("utf-32-be"), "valid JSON", id="UTF-32 without a mark"),
        pytest.param(b'{"a":NaN}', "$.a isn't an integer", id="NaN"),
        pytest.param(b'{"a":[-Infinity]}', "$.a[0] isn't an integer", id="Infinity"),
        pytest.param(b'{"a":1e999}', "$.a isn't an integer", id="1e999"),
        pytest.param(b'{"a":1e2}', "$.a isn't an integer", id="1e2"),
        pytest.param(b'{"a":0.5}', "$.a isn't an integer", id="float"),
        pytest.param(b'{"a":01}', "valid JSON", id="leading zero"),
        pytest.param('{"a":\uff11}'.encode(), "valid JSON", id="full-width digit"),
        pytest.param(b'{"a":9007199254740992}', "$.a is an integer beyond 2^53", id="2^53"),
        pytest.param(b'{"a":-9007199254740992}', "$.a is an integer beyond 2^53", id="-2^53"),
        pytest.param(b'{"a":' + b"9" * 5000 + b"}", "$.a is an integer beyond 2^53", id="5000 digits"),
        pytest.param(b'{"a":' + b"[" * 32 + b"]" * 32 + b"}", "nested more than 32 levels deep", id="33 deep"),
        pytest.param(b"[" * 8000 + b"]" * 8000, "nested more than 32 levels deep", id="8000 nested arrays"),
        pytest.param(b'{"a":' * 8000 + b"1" + b"}" * 8000, "nested more than 32 levels deep", id="8000 nested objects"),
        pytest.param(b"[" * 60000, "nested more than 32 levels deep", id="60000 opened arrays"),
        pytest.param(b'{"a":1,"b":2,"a":1}', "$ contains the key 'a' twice", id="duplicate key"),
        pytest.param(b'{"a":{"\\u0062":1,"b":2}}', "$.a contains the key 'b' twice", id="duplicate key, escaped"),
        pytest.param(b'{"a":"\\ud800"}', "$.a contains a lone surrogate at position 0", id="lone surrogate"),
        pytest.param(b'{"\\udc00":1}', "a key of $ contains a lone surrogate", id="lone surrogate in a key"),
        pytest.param(b'{"a":["x\\u0000"]}', "$.a[0] contains a control character at position 1", id="NUL"),
        pytest.param(b'{"a":"\\u009b31m"}', "$.a contains a control character", id="control beyond ASCII"),
        pytest.param(b'{"a":"x\\r\\ny"}', "$.a contains a control character at position 1", id="CRLF"),
        pytest.param(b'{"a":"x\ny"}', "Invalid control character", id="raw newline"),
        pytest.param(b'{"a b":{"c":0.5}}', "$['a b'].c isn't an integer", id="odd key in the place"),
        pytest.param(b"[1]", "must be a JSON object", id="top-level list"),
        pytest.param(b'"text"', "must be a JSON object", id="top-level text"),
        pytest.param(b"1", "must be a JSON object", id="top-level number"),
        pytest.param(b"null", "must be a JSON object", id="top-level null"),
    ],
)
def test_a_malformed_body_is_refused_with_the_error_and_its_place(body: bytes, why: str) -> None:
    with pytest.raises(Problem) as caught:
        read_json(make_request(body))
    assert caught.value.slug == "malformed"
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b"{}", {}),
        (b' {"a":1}\n', {"a": 1}),
        (b'{"a":-0}', {"a": 0}),
        (b'{"a":9007199254740991,"b":-9007199254740991}', {"a": MAX_INTEGER, "b": -MAX_INTEGER}),
        (b'{"a":[true,false,null,"\\ud83c\\udca1"]}', {"a": [True, False, None, "\U0001f0a1"]}),
        ('{"é":"ü"}'.encode(), {"é": "ü"}),
        (b'{"__proto__":{"_type_":"x"}}', {"__proto__": {"_type_": "x"}}),
    ],
)
def test_a_valid_body_is_read_unchanged(body: bytes, value: object) -> None:
    assert read_json(make_request(body)) == value


def test_thirty_two_levels_are_accepted() -> None:
    body = b'{"a":' + b"[" * (MAX_DEPTH - 1) + b"]" * (MAX_DEPTH - 1) + b"}"
    assert json.dumps(parse_object(body), separators=(",", ":")).encode() == body


@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; charset=utf-8", 'Application/JSON; charset="UTF-8"']
)
def test_json_in_utf8_is_accepted(content_type: str) -> None:
    assert read_json(make_request(b"{}", content_type=content_type)) == {}


@pytest.mark.parametrize(
    "headers",
    [
        {"content_type": ""},
        {"content_type": "text/plain"},
        {"content_type": "text/json"},
        {"content_type": "application/problem+json"},
        {"content_type": "application/x-www-form-urlencoded"},
        {"content_type": "multipart/form-data; boundary=x"},
        {"content_type": "application/json; charset=latin-1"},
        {"content_type": "application/json; charset=utf-16"},
        {"Content_Encoding": "gzip"},
        {"Content_Encoding": "identity, gzip"},
    ],
    ids=str,
)
def test_another_content_type_charset_or_encoding_is_unsupported(headers: dict[str, str]) -> None:
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


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_INTEGER, MAX_INTEGER)
    | st.text(st.characters(exclude_categories=["C"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abé", max_size=3), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text("abc", max_size=4), JSON_VALUES, max_size=4))
def test_every_object_of_integers_and_text_is_read(value: dict[str, object]) -> None:
    assert parse_object(json.dumps(value).encode()) == value
    assert parse_object(json.dumps(value, ensure_ascii=False).encode()) == value


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
    check_problem(longer, 413, "too-large")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/n/0", {"n": 0}),
        ("/n/7", {"n": 7}),
        ("/n/999999999", {"n": 999999999}),
        ("/g/1", {"game": "1"}),
        ("/g/999999999", {"game": "999999999"}),
        ("/g/6fa459ea-ee8a-3ca4-894e-db77e160355e", {"game": "6fa459ea-ee8a-3ca4-894e-db77e160355e"}),
    ],
)
def test_plain_numbers_and_game_references_find_their_route(echo: Flask, path: str, value: object) -> None:
    assert echo.test_client().get(path).json == value


@pytest.mark.parametrize(
    "path",
    [
        "/n/01",
        "/n/\uff11",
        "/n/%EF%BC%91",
        "/n/-1",
        "/n/+1",
        "/n/1.0",
        "/n/1%20",
        "/n/1%0A",
        "/n/1000000000",
        "/n/2147483648",
        "/n/" + "1" + "0" * 26,
        "/n/",
        "/n//1",
        "/g/0",
        "/g/01",
        "/g/1000000000",
        "/g/2147483648",
        "/g/" + "9" * 5000,
        "/g/6FA459EA-EE8A-3CA4-894E-DB77E160355E",
        "/g/6fa459eaee8a3ca4894edb77e160355e",
        "/g/%7B6fa459ea-ee8a-3ca4-894e-db77e160355e%7D",
        "/g/%2e%2e%2f1",
        "/g/1%00",
        "/g/..",
    ],
)
def test_any_other_spelling_is_not_found(echo: Flask, path: str) -> None:
    check_problem(echo.test_client().get(path), 404, "not-found")


def test_references_are_written_in_the_spelling_that_is_read() -> None:
    assert set(CONVERTERS) == {"strictint", "game_ref"}
    app = bare_app(Config())
    app.add_url_rule("/g/<game_ref:game>/<strictint:n>", "g", lambda game, n: f"{game}{n}")
    with app.test_request_context():
        assert app.url_for("g", game="12", n=3) == "/g/12/3"


def test_a_query_is_read(echo: Flask) -> None:
    assert echo.test_client().get("/query?a=1&b=x%20y").json == {"a": "1", "b": "x y"}


@pytest.mark.parametrize("query", ["a=1&a=1", "a=%00", "a%0D%0A=1", "a=\x9b"])
def test_a_query_with_repeats_or_control_characters_is_malformed(echo: Flask, query: str) -> None:
    check_problem(echo.test_client().get("/query?" + query), 400, "malformed")


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("10", 10), (str(MAX_INTEGER), MAX_INTEGER)])
def test_plain_digits_are_an_integer(text: str, number: int) -> None:
    assert parse_integer(text) == number


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", "01", "1 ", "1\n", "\uff11", "1e2", "0x1", str(MAX_INTEGER + 1), "9" * 5000]
)
def test_other_spellings_are_no_integer(text: str) -> None:
    assert parse_integer(text) is None
