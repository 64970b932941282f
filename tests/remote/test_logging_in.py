"""`login` and `logout`: where tokens are kept, and a sentence for each thing that goes wrong."""

import json
import stat
from pathlib import Path

import pytest

from api.client import Refusal, Server
from tests.client.test_requests import answering
from tests.remote.conftest import FINISHED, PASSWORD, Place, command

SHOW = ("game", "show", FINISHED)


def kept_tokens(folder: Path) -> dict[str, str]:
    tokens: dict[str, str] = json.loads((folder / "tokens.json").read_text(encoding="utf-8"))
    return tokens


def test_a_token_is_kept_for_its_server_in_a_file_for_its_owner_alone(place: Place, folder: Path) -> None:
    spelled = place.url.replace("http", "HTTP") + "/"  # the same server
    done = command("--server", spelled, "login", "ann", "--scope", "read", "--days", "3", given=f"{PASSWORD}\n")
    assert (done.exit_code, done.stdout, "as ann" in done.stderr) == (0, "", True)
    assert kept_tokens(folder).keys() == {place.url}
    assert stat.S_IMODE((folder / "tokens.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    with Server(place.url, kept_tokens(folder)[place.url]) as reader:
        assert reader.me()["token"]["scope"] == "read"
        assert reader.me()["token"]["label"].startswith("trickbook on ")
    assert place.remote("logout").exit_code == 0
    assert kept_tokens(folder) == {}


def test_logging_in_again_or_out_ends_the_token_before(place: Place, folder: Path) -> None:
    for words, given in ((("login", "ann"), PASSWORD), (("login", "mod"), PASSWORD), (("logout",), None)):
        before = kept_tokens(folder).get(place.url) if folder.exists() else None
        assert place.remote(*words, given=given).exit_code == 0
        if before is not None:
            with Server(place.url, before) as ended, pytest.raises(Refusal, match="401"):
                ended.me()
    again = place.remote("logout")
    assert (again.exit_code, "You aren't logged in" in again.stderr) == (2, True)


def test_a_token_that_the_player_has_can_be_kept(place: Place, folder: Path) -> None:
    token = place.ann.post("/tokens", {"name": "ann", "password": PASSWORD})["token"]
    done = place.remote("login", "--token", given=token)
    assert (done.exit_code, kept_tokens(folder)[place.url]) == (0, token)
    wrong = place.remote("login", "--token", given="tb_nothing")
    assert (wrong.exit_code, "doesn't accept this token" in wrong.stderr) == (2, True)
    assert kept_tokens(folder)[place.url] == token


def test_a_token_that_was_ended_is_named_with_what_to_do(place: Place, folder: Path) -> None:
    place.remote("login", "ann", given=PASSWORD)
    with Server(place.url, kept_tokens(folder)[place.url]) as elsewhere:
        elsewhere.logout()
    said = place.remote(*SHOW)
    assert said.exit_code == 2
    assert "it has expired, or it was ended" in said.stderr
    assert f"trickbook --server {place.url} login NAME" in said.stderr
    assert place.remote("logout").exit_code == 0


@pytest.mark.parametrize(("mode", "says"), [(0o644, "chmod 600"), (0o600, "This isn't a file of tokens")])
def test_an_unusable_file_of_tokens_is_named(place: Place, folder: Path, mode: int, says: str) -> None:
    folder.mkdir(parents=True)
    (folder / "tokens.json").write_text("[1]", encoding="utf-8")
    (folder / "tokens.json").chmod(mode)
    said = place.remote(*SHOW)
    assert (said.exit_code, says in said.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "given", "says"),
    [
        (("login", "ann"), "wrong-password", "The name or the password is wrong."),
        (("login", "nobody-here"), PASSWORD, "The name or the password is wrong."),
        (("login", "ann", "--scope", "fly"), PASSWORD, "login: "),
        (("login",), "", "Give either a NAME, or --token."),
        (("login", "ann", "--token"), "", "Give either a NAME, or --token."),
        (("game", "show", "99"), "", "There is no such game"),
        (("game", "show", FINISHED, "--at", "100000"), "", "Error: "),
        (("store", "backup", "/nowhere"), "", "Run it on the server's machine, without --server."),
        (("user", "list"), "", "Run it on the server's machine, without --server."),
        (("table", "list"), "", "Run it on the server's machine, without --server."),
        (("dispute", "show", FINISHED, "1", "--erase"), "", "answers this only to players"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_call_that_fails_says_why(place: Place, words: tuple[str, ...], given: str, says: str) -> None:
    said = place.remote(*words, given=given)
    assert (said.exit_code, said.stdout) == (2, "")
    assert says in said.stderr
    assert "Traceback" not in said.stderr


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://127.0.0.1:1", "can't be reached: [Errno 111] Connection refused. Check the URL"),
    ],
)
def test_a_server_that_can_not_be_reached_is_a_sentence(url: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.cli.remote.server.PATIENCE_S", 0.2)
    for words in (SHOW, ("game", "export", "--all"), ("login", "ann")):
        said = command("--server", url, *words, given=PASSWORD)
        assert (said.exit_code, said.stdout) == (2, "")
        assert says in said.stderr


NO_SCHEME, NO_QUERY = "A server's URL begins with https:// or http:// and the name", "Leave out what follows ? or #"
NO_URLS = {
    **dict.fromkeys(("cards.example.org", "//cards.example.org", "ftp://cards.example.org", "http://"), NO_SCHEME),
    **dict.fromkeys(("http://[::1", "http://cards.example.org:port", "http://cards\n"), "This isn't a URL"),
    **dict.fromkeys(("http://cards.example.org/?page=1", "http://cards.example.org/#x"), NO_QUERY),
    "localhost:8000": NO_SCHEME,
}
REMOTE = [
    SHOW, ("login", "ann"), ("logout",), ("game", "list"), ("game", "export", "--all"), ("line", "list"),
    ("pitch", "games"), ("dispute", "list"), ("dispute", "show", FINISHED, "1"), ("play",),
]  # fmt: skip


@pytest.mark.parametrize("words", REMOTE, ids=" ".join)
def test_every_command_refuses_a_server_that_is_no_url_with_a_sentence(words: tuple[str, ...]) -> None:
    for url, says in NO_URLS.items():
        for said in (command("--server", url, *words, given=PASSWORD), command(*words, SERVER=url, given=PASSWORD)):
            assert (said.exit_code, said.stdout) == (2, ""), url
            assert f"Error: {url}: {says}" in said.stderr


def test_a_token_is_ended_under_any_spelling_of_its_server(place: Place, folder: Path) -> None:
    place.remote("login", "ann", given=PASSWORD)
    token, spelled = kept_tokens(folder)[place.url], place.url.replace("http", "HTTP") + "/"
    done = command("--server", spelled, "logout")
    assert (done.exit_code, done.stderr) == (0, f"logged out of {place.url}\n")
    with Server(place.url, token) as ended, pytest.raises(Refusal, match="401"):
        ended.me()


NOT_OURS = "doesn't answer as a trickbook server does"
OTHERS = {
    **{f"a page, {status}": (status, "text/html", b"<p>hello</p>", NOT_OURS) for status in (200, 404, 500)},
    "another form": (200, "application/json", b'{"ok": true}', NOT_OURS),
    "endless": (200, "application/x-ndjson", b"x" * (2 * 1024 * 1024), "a line of more than 1 MiB"),
}
OF_A_GAME = (SHOW, ("game", "audit", FINISHED))
ASKED = {
    "endless": (SHOW, ("game", "export", "--all")),
    "another form": (*OF_A_GAME, ("dispute", "show", FINISHED, "1"), ("dispute", "list")),
}


@pytest.mark.parametrize("other", OTHERS)
def test_a_server_of_something_else_is_a_sentence(other: str) -> None:
    status, kind, body, says = OTHERS[other]
    with answering(status, {"Content-Type": kind}, body) as url:
        for words in ASKED.get(other, (*OF_A_GAME, ("receipt", "print", FINISHED))):
            said = command("--server", url, *words)
            assert (said.exit_code, said.stdout, says in said.stderr) == (2, "", True), said.output


def test_a_sentence_of_a_server_can_not_move_the_cursor() -> None:
    problem = json.dumps({"type": "/problems/not-found", "status": 404, "detail": "gone \x1b[2J\x07"}).encode()
    with answering(404, {"Content-Type": "application/problem+json"}, problem) as url:
        said = command("--server", url, *SHOW)
        assert said.exit_code == 2
        assert "gone" in said.stderr
        assert not {"\x1b", "\x07"} & set(said.stderr)


def test_without_a_server_there_is_nothing_to_log_in_to() -> None:
    for words in (("login", "ann"), ("logout",)):
        said = command(*words)
        assert (said.exit_code, "TRICKBOOK_SERVER" in said.stderr) == (2, True)


def test_a_server_ignores_the_variable_of_commands(tmp_path: Path) -> None:
    assert command("store", "init", "--data", str(tmp_path), SERVER="http://127.0.0.1:1").exit_code == 0
