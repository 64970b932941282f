"""Refusals that have no class of their own: they're named by their type of problem (docs/http.md)."""

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, TypedDict, Unpack

from msgspec import Meta

from domain.json_fields import Time, refers_to, says
from domain.rejections import Rejected


class ProblemExtras(TypedDict, total=False):
    """Fields that only some types of problems have."""

    errors: Annotated[dict[str, Any], says("A message for each invalid field.")]
    legal: Annotated[list[Annotated[Any, refers_to("Move")]], says("The moves that the seat can make.")]
    choose: Annotated[Any, refers_to("Choice"), says("The choice that the seat has to make.")]
    clauses: Annotated[list[str], says("The clauses of the rule sheet that the refusal rests on.")]
    version: Annotated[int, says("The present version of the game.")]
    until: Annotated[Time | None, says("When a mute or a suspension ends; null if it doesn't.")]
    game: Annotated[str, says("The game whose log was changed.")]


ProblemAddress = Annotated[str, Meta(pattern="^/problems/[a-z0-9-]+$")]


class ProblemBody(ProblemExtras):
    """An error (RFC 9457). `type` is stable, `detail` is a sentence for people."""

    type: Annotated[ProblemAddress, says("The address of a page about this type of problem.")]
    title: str
    status: int
    detail: NotRequired[str]


class Problem(Exception):
    """A type of problem (`api.web.problems`), a sentence for this case, and further members of the problem's JSON."""

    def __init__(
        self, slug: str, detail: str, headers: Mapping[str, str] | None = None, **extras: Unpack[ProblemExtras]
    ) -> None:
        super().__init__(detail)
        self.slug = slug
        self.headers = dict(headers or {})
        self.extras = extras


class RefusedAtTable(Exception):
    """A refusal by the rules, with the part of the view that only the caller's seat sees, and the game's variant."""

    def __init__(self, refusal: Rejected, you: Mapping[str, Any], variant: str) -> None:
        super().__init__(str(refusal))
        self.refusal, self.you, self.variant = refusal, you, variant
