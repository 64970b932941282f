"""stub"""

from domain.rules.model import Rules


def rules_fault(rules: Rules) -> str | None:
    return None
