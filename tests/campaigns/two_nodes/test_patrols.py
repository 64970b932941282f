"""How many guesses of a password the limit of a server allows within a time."""

import pytest

from tests.campaigns.two_nodes.patrols import most_guesses


@pytest.mark.parametrize(
    ("seconds", "guesses"),
    [
        pytest.param(0.5, 11, id="ten at once"),
        pytest.param(1, 12, id="one after a second"),
        pytest.param(7, 14, id="after 1, 2 and 4 seconds"),
        pytest.param(31, 16, id="after 1, 2, 4, 8 and 16 seconds"),
        pytest.param(61, 17, id="then one in 30 seconds"),
        pytest.param(3600, 144, id="an hour"),
        pytest.param(3601, 145, id="ten more after an hour"),
    ],
)
def test_guesses_wait_longer_and_longer_and_are_forgotten_after_an_hour(seconds: float, guesses: int) -> None:
    assert most_guesses(seconds) == guesses
