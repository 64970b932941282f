"""A player's own data in the tables of conduct: exported whole, and erased so that no text remains in any file."""

from pathlib import Path

from tests.api.conftest import services_of
from tests.conduct.conftest import Court

SECRET = "zebra crossing "


def fill(court: Court) -> str:
    """Let ann and bob write everything that a player can write, and return the step against bob."""
    court["ann"].ask("PUT", "/me/blocks/bob")
    court["bob"].ask("PUT", "/me/blocks/eve")
    message = court.wrote("bob", SECRET + "chat")
    court.report("bob", "cat", text=SECRET + "report")
    assert court["bob"].post("/messages", {"to": ["cat"], "text": SECRET + "message"}).status_code == 201
    assert court["cat"].post("/messages", {"to": ["bob"], "text": "to bob"}).status_code == 201
    step = court.judge("mute", reason=SECRET + "reason")
    court["bob"].post("/me/appeals", {"step": step, "text": SECRET + "appeal"})
    body = {"decision": "upheld", "reason": SECRET + "decision"}
    assert court["mateo"].post(f"/moderation/appeals/{step}/decision", body).status_code == 201
    report = {"text": SECRET + "about bob", "game": court.game, "message": message}
    assert court.report("cat", "bob", **report).status_code == 201
    return step


def test_the_export_holds_all_that_the_player_wrote(court: Court) -> None:
    step = fill(court)
    found = court["bob"].get("/me/export").get_json()
    court["bob"].delete("/me/blocks/eve")
    lifted = court["bob"].get("/me/export").get_json()["blocks"]
    blocks = [(each["player"], each["until"] is None) for each in (*found["blocks"], *lifted)]
    assert blocks == [(court.id_of("eve"), True), (court.id_of("eve"), False)]
    assert [each["text"] for each in found["messages"]] == [SECRET + "chat"]
    assert [each["text"] for each in found["private_messages"]] == [SECRET + "message", "to bob"]
    assert [(each["about"], each["text"]) for each in found["reports"]] == [(court.id_of("cat"), SECRET + "report")]
    assert [(each["id"], each["reason"], each["appeal"], each["decision"]) for each in found["steps"]] == [
        (step, SECRET + "reason", SECRET + "appeal", "upheld")
    ]


def test_a_deleted_user_leaves_no_text_in_any_table_or_file_and_others_keep_theirs(
    court: Court, tmp_path: Path
) -> None:
    fill(court)
    court["bob"].delete("/me/blocks/eve")
    court.wrote("ann", "mine")
    court.report("ann", "cat")
    bob, accounts = court.id_of("bob"), services_of(court.app).accounts
    accounts.erasures.erase(bob)
    assert texts_with_the_secret(court) == []
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.name for path in files if SECRET.encode() in path.read_bytes()] == []
    assert not accounts.blocks.between(court.id_of("ann"), bob)
    assert (accounts.blocks.of(bob), accounts.blocks.lifted(bob)) == ([], [])
    chat = court["cat"].get(court.chat).get_json()
    assert [(each["text"], each["erased"]) for each in chat["items"]] == [(None, True), ("mine", False)]
    assert chat["names"] == {bob: "deleted", court.id_of("ann"): "ann"}
    assert [each["text"] for each in court["cat"].get("/messages").get_json()["items"]] == ["to bob"]
    queue = court["moira"].get("/moderation/reports").get_json()["items"]
    assert [(each["text"], each["quoted"]) for each in queue] == [(None, None), (None, None), ("insults", None)]


def texts_with_the_secret(court: Court) -> list[str]:
    """Return every value in the tables of conduct that holds the secret."""
    database = services_of(court.app).accounts.database
    tables = ("blocks", "chat_messages", "conduct_reports", "conduct_steps", "conduct_appeals", "moderation_log",
              "private_messages", "broadcasts")  # fmt: skip
    rows = [row for table in tables for row in database.run(f"SELECT * FROM {table}")]
    return [str(value) for row in rows for value in row if SECRET in str(value)]
