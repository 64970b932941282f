"""Questions 8 and 9 of docs/trust.md: what was changed is found and named, two histories are told apart; 0, 1 and 2."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.live_server import PEOPLE, GameServer, ServedGame, get_json, open_server, write_export
from tests.api.log_reference import canonical, check_export, leaf, roots


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """One server for all these games."""
    with open_server(tmp_path_factory.mktemp("questions")) as found:
        yield found


@pytest.fixture(scope="module")
def over(house: GameServer) -> ServedGame:
    """A hand and some of Corellian Pitch whose rules change, and then everybody left."""
    game = house.open(PEOPLE, "corellian", options={"randomizer": {"when": [1, 5], "end": None}})
    game.play(lambda view: (view["last_hand"] or {"hand": 0})["hand"] >= 1)
    game.finish()
    return game


def test_8_and_9_a_change_is_found_and_two_histories_are_named(
    house: GameServer, over: ServedGame, tmp_path: Path
) -> None:
    """One salt is another, with every hash made to fit: only a root that was kept tells."""
    assert house.command("audit", over.id).exit_code == 0
    assert house.command("verify", write_export(over, tmp_path)).exit_code == 0
    lines = over.export().split(b"\n")
    found = check_export(over.export())
    victim = found.events[5] | {"salt": "00" * 16}
    told = [*found.events[:5], victim, *found.events[6:]]
    raws = [canonical(event) for event in told]
    leaves = [leaf(raw) for raw in raws]
    links = roots(leaves)
    parts = [
        b'{"event":%b,"leaf":"%b","prev":"%b","version":%d}' % (raw, of.hex().encode(), prev.hex().encode(), i)
        for i, (raw, of, prev) in enumerate(zip(raws, leaves, links[:-1], strict=True), start=1)
    ]
    trailer = canonical(found.trailer | {"root": links[-1].hex(), "receipt": None})
    (tmp_path / "forged.ndjson").write_bytes(b"\n".join([lines[0], *parts, trailer, b""]))
    check_export((tmp_path / "forged.ndjson").read_bytes())
    forged, true = str(tmp_path / "forged.ndjson"), write_export(over, tmp_path)
    assert house.command("verify", forged).exit_code == 0, "nothing in the file itself tells"
    assert house.command("verify", forged, "--root", found.trailer["root"]).exit_code == 1
    parted = house.command("compare", true, forged)
    assert (parted.exit_code, "event 6" in parted.output) == (1, True), parted.output
    size = len(found.lines)
    assert get_json(over, f"/compare?size={size}&root={found.trailer['root']}")["code"] == 0
    assert get_json(over, f"/compare?size={size}&root={links[-1].hex()}")["code"] == 1
    assert get_json(over, f"/compare?size={size + 1}&root={links[-1].hex()}")["code"] != 0


@pytest.mark.parametrize("number", [0, 1, 7, 20, -2, -1])
def test_8_one_changed_byte_of_a_line_is_found_and_named(
    house: GameServer, over: ServedGame, tmp_path: Path, number: int
) -> None:
    lines = over.export().split(b"\n")[:-1]
    at = lines[number].index(b'"game":') + 9 if b'"game":' in lines[number] else 12
    lines[number] = lines[number][:at] + bytes([lines[number][at] ^ 1]) + lines[number][at + 1 :]
    found = house.command("verify", write_export(over, tmp_path, b"\n".join([*lines, b""])))
    assert found.exit_code in (1, 2), found.output
    assert found.exit_code == 1 or number == 0, found.output
    if number in (7, 20):
        assert f"event {number}" in found.output


def test_what_is_no_export_cannot_be_told(house: GameServer, over: ServedGame, tmp_path: Path) -> None:
    """Exit code 2, a sentence, no traceback."""
    whole = over.export()
    nested = b"[" * 8000 + b"]" * 8000 + b"\n"
    newer = whole.replace(b"trickbook-export/1", b"trickbook-export/9", 1)
    for text in (b"\n", b"{}\n", b"x", b"\xff\xfe\n", b"null\n", nested, newer):
        for command in ("verify", "audit", "show", "score", "sight"):
            found = house.command(command, write_export(over, tmp_path, text))
            assert found.exit_code == 2, (command, text[:30], found.output)
            assert "Traceback" not in found.output
    for command in ("verify", "audit", "show", "score"):
        assert house.command(command, str(tmp_path / "nothing.ndjson")).exit_code == 2
    for game in ("999999", "0f8fad5b-d9cb-469f-a165-70867728950e", "0", "-1", "1" * 40, "\uff11"):
        assert house.command("audit", "--", game).exit_code == 2, game
