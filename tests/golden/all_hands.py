"""The list of all golden hands."""

from tests.golden import Golden, blackout, corellian, disputes, pitch, setback

GOLDEN: tuple[Golden, ...] = (*pitch.HANDS, *setback.HANDS, *blackout.HANDS, *corellian.HANDS, *disputes.HANDS)
