"""What is worked out once for a value is worked out again only for another."""

from dataclasses import dataclass

from domain import memo as identity
from domain.memo import memoize_by_identity


@dataclass(frozen=True)
class Thing:
    """A value."""

    number: int


def test_a_value_is_asked_about_once_and_an_equal_one_by_itself() -> None:
    asked = list[Thing]()

    @memoize_by_identity
    def double(of: Thing) -> int:
        asked.append(of)
        return of.number * 2

    one, same = Thing(1), Thing(1)
    assert [double(one), double(one), double(same), double(one)] == [2, 2, 2, 2]
    assert [id(each) for each in asked] == [id(one), id(same)]


def test_no_more_than_so_many_are_remembered_and_all_answers_stay_right() -> None:
    @memoize_by_identity
    def double(of: Thing) -> int:
        return of.number * 2

    for number in range(3 * identity.CAPACITY):
        assert double(Thing(number)) == number * 2
    cells = [cell.cell_contents for cell in getattr(double, "__closure__", ())]
    (known,) = [each for each in cells if isinstance(each, dict)]
    assert len(known) <= identity.CAPACITY
