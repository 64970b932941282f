"""The program of docs/fairness.md: they agree with the vectors and find a deal that is not the promised one."""

import json
import subprocess
import sys
import types
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from domain.game import Entry
from tests.docs.markdown import ROOT, blocks
from tests.events_page import example

VECTORS = json.loads((ROOT / "tests" / "domain" / "fairdeal-vectors.json").read_text())["vectors"]
PROGRAM = next(block.text for block in blocks(ROOT / "docs" / "fairness.md", "python"))
SHUFFLES = [(vector, draw) for vector in VECTORS for draw in vector["draws"] if draw["op"] == "shuffle"]


@pytest.fixture(scope="module")
def program() -> Any:
    """The page's program as a module."""
    module = types.ModuleType("fairdeal_of_the_page")
    exec(compile(PROGRAM, "docs/fairness.md", "exec"), vars(module))
    return module


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["name"]))
def test_its_commitment_is_the_vector_s(program: Any, vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    assert program.commit(vector["game"], vector["n"], vector["subject"], seed) == vector["commit"]


@pytest.mark.parametrize(("vector", "draw"), SHUFFLES, ids=[vector["name"] for vector, _ in SHUFFLES])
def test_its_shuffle_is_the_vector_s(program: Any, vector: dict[str, Any], draw: dict[str, Any]) -> None:
    cuts = [(source, bytes.fromhex(cut)) for source, cut in vector["cuts"]]
    seed = bytes.fromhex(vector["seed"])
    told = (vector["game"], vector["n"], vector["subject"], seed, cuts, draw["label"], draw["n"])
    assert program.shuffle(*told) == draw["result"]


def exported(entries: tuple[Entry, ...]) -> list[str]:
    """The lines of an export of a game just dealt, its seed revealed."""
    lines = [json.dumps({"event": json.loads(entry.raw)}) for entry in entries]
    kept = next(json.loads(entry.raw) for entry in entries if entry.event.fact == "SeedKept")
    return [*lines, json.dumps({"event": kept | {"fact": "CeremonyRevealed"}}), json.dumps({"size": len(lines)})]


def test_a_deal_that_was_promised_is_said_to_be(program: Any) -> None:
    assert list(program.check(exported(example().entries))) == ["deal hand 1: as promised"]


def test_one_card_exchanged_is_found(program: Any) -> None:
    lines = exported(example().entries)
    assert sum('"7H"' in line for line in lines) == 2, "once in the canonical deck, once dealt"
    changed = [line if "GameOpened" in line else line.replace('"7H"', '"7C"') for line in lines]
    assert list(program.check(changed)) == ["deal hand 1: NOT AS PROMISED"]


def ran(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """The program, run as the page says."""
    command = [sys.executable, "-c", PROGRAM, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_run_on_what_it_cannot_check_it_says_so_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    whole = exported(example().entries)
    (tmp_path / "live").write_text("\n".join(line for line in whole if "CeremonyRevealed" not in line))
    (tmp_path / "whole").write_text("\n".join(whole))
    assert ran().stderr == "name the file of an export: fairdeal.py game.ndjson\n"
    assert ran(str(tmp_path / "empty")).stderr == "this file is no export of a game\n"
    assert ran(str(tmp_path / "live")).stdout == "nothing to check yet: no deal of this game is revealed\n"
    assert ran(str(tmp_path / "whole")).stdout == "deal hand 1: as promised\n"


def test_it_is_as_short_as_the_page_says_and_needs_nothing_but_python() -> None:
    assert len([line for line in PROGRAM.splitlines() if line.strip()]) <= 40
    imported = [line for line in PROGRAM.splitlines() if line.startswith(("import", "from"))]
    assert imported == ["import json, sys", "from hashlib import sha256", "from hmac import digest"]


def merkle(leaves: list[bytes]) -> bytes:
    """The page's last section, written out."""
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256(b"").digest()
    left = 2 ** ((len(leaves) - 1).bit_length() - 1)
    return sha256(b"\x01" + merkle(leaves[:left]) + merkle(leaves[left:])).digest()


def test_the_log_is_hashed_as_the_page_says() -> None:
    leaves: list[bytes] = []
    for entry in example().entries:
        assert entry.prev == merkle(leaves)
        leaves.append(sha256(b"\x00" + entry.raw).digest())
        assert entry.leaf == leaves[-1]
