"""Every golden hand there is; a module beside this one adds its own by a line here."""

from tests.golden import Golden, blackout, corellian, disputes, pitch, setback

GOLDEN: tuple[Golden, ...] = (*pitch.HANDS, *setback.HANDS, *blackout.HANDS, *corellian.HANDS, *disputes.HANDS)
