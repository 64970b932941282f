"""Work shared by several processes gives the same output, in the same order, as one process."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.cli.common.processes import MIN_ITEMS_TO_SHARE, map_in_order
from replay.history import export_bytes
from tests.commands import run
from tests.replay.playing import table


def square(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def refused(number: int) -> int:
    if number == 11:
        raise ValueError("eleven")
    return number


def test_results_come_in_the_order_of_the_items_and_only_many_items_are_shared_by_processes() -> None:
    here = os.getpid()
    assert [result for result, _ in map_in_order(square, range(40), None)] == [each**2 for each in range(40)]
    for many in (0, 1, MIN_ITEMS_TO_SHARE - 1, MIN_ITEMS_TO_SHARE, 40):
        for jobs in (1, 2):
            made = list(map_in_order(square, range(many), jobs))
            assert [result for result, _ in made] == [each**2 for each in range(many)]
            is_shared = jobs > 1 and many >= MIN_ITEMS_TO_SHARE
            assert {process == here for _, process in made} <= {not is_shared}


def test_a_long_list_is_read_only_as_far_as_needed() -> None:
    taken = list[int]()

    def items() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    made = map_in_order(square, items(), 2)
    assert [next(made)[0], next(made)[0]] == [0, 1]
    assert len(taken) < 20
    assert sum(1 for _ in made) == 998


def test_an_exception_in_a_process_is_raised_in_the_caller() -> None:
    with pytest.raises(ValueError, match="eleven"):
        list(map_in_order(refused, range(20), 2))


def test_the_output_for_a_file_of_many_games_does_not_depend_on_processes(tmp_path: Path) -> None:
    files = [export_bytes(table(seed, 2).play(most=3).history) for seed in range(MIN_ITEMS_TO_SHARE + 2)]
    files[3] = files[3].replace(b'"seat":0', b'"seat":1', 1)
    files[5] = files[5].replace(b"trickbook-export/1", b"trickbook-export/9", 1)
    (tmp_path / "many.ndjson").write_bytes(b"".join(files))
    for more in ((), ("--json",)):
        said = [run("game", "verify", str(tmp_path / "many.ndjson"), "--jobs", jobs, *more) for jobs in ("1", "2", "3")]
        assert said[0].exit_code == 1
        assert f"{len(files)}" in said[0].output.splitlines()[-1]
        assert {each.output for each in said} == {said[0].output}
        assert {each.exit_code for each in said} == {1}
