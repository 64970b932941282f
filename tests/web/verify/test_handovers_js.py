"""The browser's verifier reads games with seats that change hands as the audit does (R-P13, R-P14)."""

import pytest

from domain.rules.variants import VARIANTS
from replay.history import export_bytes
from tests.handover.games import history_of
from tests.handover.test_replay import wild
from tests.web.engines import Engine
from tests.web.reading import reports, told


@pytest.mark.parametrize("variant", VARIANTS)
def test_wild_games_with_hand_overs_have_no_findings(variant: str, engine: Engine) -> None:
    exports = [export_bytes(history_of(wild(variant, seed))) for seed in range(8)]
    assert [told(report) for report in reports(engine, exports)] == [[]] * len(exports)
