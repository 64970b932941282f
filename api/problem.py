"""Refusals that have no class of their own: they're named by their type of problem (docs/http.md)."""

from collections.abc import Mapping
from typing import Any

from domain.rejections import Rejected


class Problem(Exception):
    """A type of problem (`api.web.problems`), a sentence for this case, and further members of the problem's JSON."""

    def __init__(self, slug: str, detail: str, headers: Mapping[str, str] | None = None, **extras: object) -> None:
        super().__init__(detail)
        self.slug = slug
        self.headers = dict(headers or {})
        self.extras = extras


class RefusedAtTable(Exception):
    """A refusal by the rules, with the part of the view that only the caller's seat sees, and the game's variant."""

    def __init__(self, refusal: Rejected, you: Mapping[str, Any], variant: str) -> None:
        super().__init__(str(refusal))
        self.refusal, self.you, self.variant = refusal, you, variant
