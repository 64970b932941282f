"""docs/receipts.md: it explains every state of a receipt."""

from replay.history import receipts
from replay.history.receipt_comparison import FORGERY
from tests.docs.markdown import ROOT

PAGE = ROOT / "docs" / "receipts.md"


def test_every_state_of_a_receipt_is_in_the_table() -> None:
    text = PAGE.read_text(encoding="utf-8")
    table = text.split("| A receipt is |")[1].split("\n\n")[0]
    told = {line.split("`")[1] for line in table.splitlines() if line.startswith("| `")}
    assert told == {
        receipts.GOOD, receipts.FORGED, receipts.CHANGED, receipts.WRONG_KEY, receipts.UNKNOWN_KEY,
        receipts.OTHER_GAME, receipts.AHEAD,
    }  # fmt: skip
    assert all(trust in " ".join(text.replace("**", "").split()) for trust in receipts.TRUST_NOTES.values())
    assert FORGERY in text
