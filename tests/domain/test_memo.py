"""A memoized function computes its result once for each object."""

from dataclasses import dataclass

from domain import memo
from domain.memo import memoize_by_identity


@dataclass(frozen=True)
class Thing:
    number: int


def test_the_result_is_computed_once_for_each_object_even_if_objects_are_equal() -> None:
    asked = list[Thing]()

    @memoize_by_identity
    def double(of: Thing) -> int:
        asked.append(of)
        return of.number * 2

    one, same = Thing(1), Thing(1)
    assert [double(one), double(one), double(same), double(one)] == [2, 2, 2, 2]
    assert [id(each) for each in asked] == [id(one), id(same)]


def test_the_memo_keeps_a_limited_number_of_results_and_all_stay_correct() -> None:
    @memoize_by_identity
    def double(of: Thing) -> int:
        return of.number * 2

    for number in range(3 * memo.CAPACITY):
        assert double(Thing(number)) == number * 2
    cells = [cell.cell_contents for cell in getattr(double, "__closure__", ())]
    (known,) = [each for each in cells if isinstance(each, dict)]
    assert len(known) <= memo.CAPACITY
