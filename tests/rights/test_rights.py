"""Every route answers every kind of caller as docs/security.md says."""

import pytest

from tests.generators.attacks_page import written_part
from tests.generators.rights_tables import TITLE, rights_tables
from tests.rights.matrix import YES, ask_everybody


@pytest.mark.lengthy
def test_every_route_answers_every_kind_of_caller_as_the_page_says() -> None:
    matrix = ask_everybody()
    assert [key for key, row in matrix.items() if YES not in row] == [], "nobody may send this request"
    assert written_part(TITLE) == list(rights_tables(matrix)), "if this is a right to give or take: run make attacks"
