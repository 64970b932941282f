"""The clauses of the rules next to refusals, and next to the answer of the `legal` query."""

from collections.abc import Iterable

from domain.rejections import COMMON_LETTER, Rejected, clause_letter, refusals
from domain.rules.variants import KNOWN
from domain.rules.variants.options import COMMON_SHEET


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
