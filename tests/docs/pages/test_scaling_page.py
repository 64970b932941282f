"""docs/scaling.md has the tables that `python -m bench.scaling` computes."""

from bench.scaling import PAGE, page


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "docs/scaling.md isn't up to date: run python -m bench.scaling"
