"""The pages listen for each kind of entry that an inbox has."""

import re

from projections.lists.inbox_entries import KINDS
from tests.docs.markdown import ROOT

SCRIPT = (ROOT / "api" / "static" / "base" / "leader.js").read_text(encoding="utf-8")


def test_the_pages_listen_for_all_kinds_of_entries() -> None:
    found = re.search(r"const KINDS = \[(.*?)\]", SCRIPT, re.DOTALL)
    assert found is not None
    assert {*re.findall(r'"([\w-]+)"', found[1]), "message"} == set(KINDS)
