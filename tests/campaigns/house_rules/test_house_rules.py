"""The campaign of presets and random rulebooks, in small."""

import pytest

from tests.campaigns.house_rules import __main__ as campaign_module
from tests.campaigns.house_rules.__main__ import Campaign

SMALL = 6
MOST = 60


def test_random_rulebooks_are_refused_with_a_reason_or_their_games_end() -> None:
    campaign = Campaign("small")
    for number in range(SMALL):
        campaign.draw(number)
    assert campaign.faults == []
    assert campaign.refused
    assert campaign.unread


def test_bots_play_presets_under_an_option_and_leave() -> None:
    campaign = Campaign("small")
    campaign.play_preset("smear", 6, 3)
    assert campaign.faults == []
    assert "'" in next(iter(campaign.unread))


def test_canary_rules_that_nobody_could_play_are_reported_if_no_check_refuses_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(campaign_module, "faults", lambda _: [])
    campaign = Campaign("canary")
    for number in range(MOST):
        campaign.draw(number)
        if campaign.faults:
            break
    assert campaign.faults
