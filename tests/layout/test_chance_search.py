"""No test draws without a seed or waits for a time to pass, unless a list says why."""

from tests.layout.chance_search import LISTED, findings, listed


def test_nothing_draws_or_pauses_unless_it_is_listed_with_a_reason() -> None:
    found = list(findings())
    assert [f"{path}:{line}: {what}" for path, line, what in found if not listed(path)] == []
    assert [each for each in LISTED if not any(path.startswith(each) for path, _, _ in found)] == [], "take it off"
