"""Refusals that have no class of their own: they're named by their type of problem (docs/http.md)."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NotRequired, TypedDict, Unpack

from msgspec import Meta

from domain.json_fields import Time, refers_to, says
from domain.rejections import COMMON_LETTER, Rejected, clause_letter, refusals
from domain.rules.variants import KNOWN
from domain.rules.variants.options import COMMON_SHEET


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


def clauses_of_all_variants(refusal: type[Rejected]) -> tuple[str, ...]:
    """Return the clauses of every sheet that `refusal` rests on."""
    of_variants = (clause for each in KNOWN.values() for clause in each.clauses.get(refusal, ()))
    return tuple(dict.fromkeys((*refusal.clauses, *of_variants)))


def clauses_of_variant(variant: str, code: str) -> list[str]:
    """Return the clauses that the refusal with this code rests on, in one variant's sheet and in that of every game."""
    refusal = refusals().get(code)
    return [] if refusal is None else clauses_of_refusal(variant, refusal)


def clauses_of_refusal(variant: str, refusal: type[Rejected]) -> list[str]:
    """Return the same for a kind of refusal: of two with one code, one may rest on no clause."""
    if variant in KNOWN:
        return list(KNOWN[variant].clauses_for(refusal))
    return [clause for clause in refusal.clauses if clause_letter(clause) == COMMON_LETTER]


def citations(clauses: Iterable[str]) -> list[str]:
    """Return one line for each sheet that holds some of the clauses: `Setback: T20, T21`."""
    titles = {sheet.letter: sheet.title for sheet in (*(each.sheet for each in KNOWN.values()), COMMON_SHEET)}
    by_letter: dict[str, list[str]] = {letter: [] for letter in titles}
    for clause in clauses:
        by_letter[clause_letter(clause)].append(clause)
    return [f"{titles[letter]}: {', '.join(cited)}" for letter, cited in by_letter.items() if cited]
