"""Some single bytes changed at random; `make tamper` changes ten thousand of a store and of exports."""

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from api.cli.main import main
from replay.audit import CANNOT_TELL, WRONG
from tests.campaigns.tamper.flips import HARMLESS, changes, flip_export, flip_store, verified
from tests.campaigns.tamper.places import exports, finished


def test_canary_a_changed_byte_is_reported_with_the_check_that_notices_it(tmp_path: Path) -> None:
    flips = flip_export(exports(tmp_path)["a finished export"], 20, seed=5)
    assert "exit code 1: links, leaves and root" in flips.ways


def test_no_byte_of_a_stores_file_changes_unnoticed(tmp_path: Path) -> None:
    flips = flip_store(finished(tmp_path), 60, seed=5)
    assert flips.silent == []
    assert flips.ways.keys() >= {"exit code 1: links", "exit code 1: database", HARMLESS}


@pytest.mark.parametrize("name", ["a finished export", "a running one, seen by seat 1"])
def test_no_byte_of_an_export_changes_unnoticed(tmp_path: Path, name: str) -> None:
    data = exports(tmp_path)[name]
    flips = flip_export(data, 60, seed=6)
    assert flips.silent == []
    for at, byte in changes(data, 3, Random(7)):
        changed = data[:at] + bytes([byte]) + data[at + 1 :]
        (tmp_path / "f.ndjson").write_bytes(changed)
        result = CliRunner().invoke(main, ["game", "verify", str(tmp_path / "f.ndjson")])
        assert result.exit_code == verified(changed)[0]
        assert result.exit_code in (WRONG, CANNOT_TELL)
