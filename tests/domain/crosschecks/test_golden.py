"""Stored hands, and every viewer's view of them, don't change."""

import pytest

from tests.golden import FOLDER, Golden
from tests.golden.all_hands import GOLDEN


@pytest.mark.lengthy
@pytest.mark.parametrize("golden", [pytest.param(golden, id=golden.name) for golden in GOLDEN])
def test_a_hand_is_stored_and_shown_as_before(golden: Golden) -> None:
    assert golden.text() == golden.file.read_text(), "if you meant to change it: python -m tests.golden"


def test_every_golden_file_belongs_to_a_hand() -> None:
    assert sorted(FOLDER.glob("*.txt")) == sorted(golden.file for golden in GOLDEN)
    assert len({golden.name for golden in GOLDEN}) == len(GOLDEN)
