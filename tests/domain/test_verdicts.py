"""The rules answer every command as listed, in moments of all games: with these facts, or with this refusal.

`python -m tests.domain.verdicts` writes the list again.
"""

import pytest

from tests.domain.verdicts import VERDICTS, verdicts
from tests.lists import listed
from tests.replay.sound_games import GAMES


@pytest.mark.lengthy
@pytest.mark.parametrize("name", listed(VERDICTS))
def test_each_command_gets_the_listed_verdict(name: str) -> None:
    assert list(verdicts(GAMES[name]())) == listed(VERDICTS)[name]
