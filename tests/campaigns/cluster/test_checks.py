"""The check of the lists notices rows that are missed, doubled or made up."""

import pytest

from projections.lists.inbox import INBOX, MOST_ENTRIES
from projections.storage.tables import Row
from tests.campaigns.cluster.checks import differences


def entries(player: str, count: int) -> list[Row]:
    return [{"player": player, "version": version, "n": None} for version in range(count)]


FULL = entries("ann", MOST_ENTRIES + 2)
FEW = entries("bob", 3)


@pytest.mark.parametrize(
    ("kept", "differs"),
    [
        (FULL + FEW, False),
        (FULL[2:] + FEW, False),
        (FULL[3:] + FEW, True),
        (FULL + FEW[1:], True),
        (FULL + FEW + FEW[:1], True),
        ([*FULL, *FEW[1:], FEW[0] | {"version": 9}], True),
    ],
    ids=["all", "the newest", "too few", "one missed", "one twice", "another one"],
)
def test_an_inbox_lacks_only_the_oldest_entries(kept: list[Row], differs: bool) -> None:
    assert list(differences(INBOX, {"entries": kept}, {"entries": FULL + FEW})) == (["entries"] if differs else [])
