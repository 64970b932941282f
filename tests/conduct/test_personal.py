"""A player's own data in the tables of conduct: exported whole, and erased so that no text remains in any file."""

from pathlib import Path

from api.accounts.conduct.personal import erase_conduct
from tests.api.conftest import services_of
from tests.conduct.conftest import Court

SECRET = "zebra crossing "


def fill(court: Court) -> str:
    """Let ann and bob write everything that a player can write, and return the step against bob."""
    court["ann"].ask("PUT", "/me/blocks/bob")
    court["bob"].ask("PUT", "/me/blocks/eve")
    message = court.wrote("bob", SECRET + "chat")
    court.report("bob", "cat", text=SECRET + "report")
    step = court.judge("mute", reason=SECRET + "reason")
    court["bob"].post("/me/appeals", {"step": step, "text": SECRET + "appeal"})
    body = {"decision": "upheld", "reason": SECRET + "decision"}
    assert court["mateo"].post(f"/moderation/appeals/{step}/decision", body).status_code == 201
    report = {"text": SECRET + "about bob", "game": court.game, "message": message}
    assert court.report("cat", "bob", **report).status_code == 201
    return step


def erase(court: Court, name: str) -> None:
    """Erase what somebody has in the tables of conduct."""
    with services_of(court.app).accounts.database.transaction(writes=True) as transaction:
        erase_conduct(transaction, court.id_of(name))


def test_the_export_holds_all_that_the_player_wrote(court: Court) -> None:
    step = fill(court)
    found = court["bob"].get("/me/export").get_json()
    court["bob"].delete("/me/blocks/eve")
    lifted = court["bob"].get("/me/export").get_json()["blocks"]
    blocks = [(each["player"], each["until"] is None) for each in (*found["blocks"], *lifted)]
    assert blocks == [(court.id_of("eve"), True), (court.id_of("eve"), False)]
    assert [each["text"] for each in found["messages"]] == [SECRET + "chat"]
    assert [(each["about"], each["text"]) for each in found["reports"]] == [(court.id_of("cat"), SECRET + "report")]
    assert [(each["id"], each["reason"], each["appeal"], each["decision"]) for each in found["steps"]] == [
        (step, SECRET + "reason", SECRET + "appeal", "upheld")
    ]


def test_nothing_of_an_erased_player_remains_but_ids(court: Court) -> None:
    fill(court)
    court["bob"].delete("/me/blocks/eve")
    erase(court, "bob")
    accounts = services_of(court.app).accounts
    assert not accounts.blocks.between(court.id_of("ann"), court.id_of("bob"))
    assert (accounts.blocks.of(court.id_of("bob")), accounts.blocks.lifted(court.id_of("bob"))) == ([], [])
    items = court["cat"].get(court.chat).get_json()["items"]
    assert [(each["text"], each["erased"]) for each in items] == [(None, True)]
    queue = court["moira"].get("/moderation/reports").get_json()["items"]
    assert [(each["text"], each["quoted"]) for each in queue] == [(None, None), (None, None)]
    assert court["bob"].get("/me/standing").get_json()["steps"][0]["reason"] is None
    assert list_of_texts(court) == []


def list_of_texts(court: Court) -> list[str]:
    """Return every value in the tables of conduct that holds the secret."""
    database = services_of(court.app).accounts.database
    tables = ("blocks", "chat_messages", "conduct_reports", "conduct_steps", "conduct_appeals", "moderation_log",
              "private_messages", "broadcasts")  # fmt: skip
    rows = [row for table in tables for row in database.run(f"SELECT * FROM {table}")]
    return [str(value) for row in rows for value in row if SECRET in str(value)]


def test_others_keep_their_texts(court: Court) -> None:
    court.wrote("ann", "mine")
    court.wrote("bob", "gone")
    court.report("ann", "cat")
    erase(court, "bob")
    assert court.texts("eve") == ["mine", None]
    assert court["ann"].get("/me/reports").get_json()["items"][0]["text"] == "insults"


def test_deleting_a_user_erases_their_texts_in_every_file(court: Court, tmp_path: Path) -> None:
    fill(court)
    services_of(court.app).accounts.erasures.erase(court.id_of("bob"))
    assert list_of_texts(court) == []
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.name for path in files if SECRET.encode() in path.read_bytes()] == []
    assert court["cat"].get(court.chat).get_json()["names"] == dict.fromkeys(authors(court), "deleted")


def authors(court: Court) -> set[str]:
    """Return the ids of the authors of the messages."""
    return {item["by"] for item in court["cat"].get(court.chat).get_json()["items"]}
