"""Names keep their promises: exported names exist, records can't change, and refusals rest on real clauses."""

import re
from collections.abc import Iterator
from importlib import import_module

from domain.rejections import Rejected
from domain.rules.variants import SHEETS, VARIANTS
from domain.struct import Value
from tests.layout.product import ROOT, modules

PATHS = [path.relative_to(ROOT).as_posix() for path in modules()]
MODULES = [path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in PATHS]
COMMON = (ROOT / "docs" / "rules" / "common.md").read_text(encoding="utf-8")
CLAUSES = frozenset(number for sheet in SHEETS for number in sheet.numbers()) | set(re.findall(r"\bR-P[0-9]+", COMMON))

SECRETS = frozenset({"cards", "out", "past", "raw", "salt", "seed", "stock"})
"""The fields that no message or log shows."""


def descendants(of: type[Rejected]) -> Iterator[type[Rejected]]:
    for each in of.__subclasses__():
        yield each
        yield from descendants(each)


REFUSALS = sorted(descendants(Rejected), key=lambda refusal: refusal.__name__)


def test_a_module_has_all_the_names_that_it_exports() -> None:
    modules = {name: import_module(name) for name in MODULES}
    exported = [(name, each) for name, module in modules.items() for each in getattr(module, "__all__", ())]
    assert [(name, each) for name, each in exported if not hasattr(modules[name], each)] == []


def records() -> Iterator[type[Value]]:
    for name in MODULES:
        for each in vars(import_module(name)).values():
            if isinstance(each, type) and issubclass(each, Value):
                yield each


def test_no_record_can_change() -> None:
    assert [each for each in records() if not each.__struct_config__.frozen] == []


def test_a_record_with_a_repr_of_its_own_hides_secrets_in_it() -> None:
    for each in {each for each in records() if "__repr__" in vars(each)} - {Value}:
        record = each(**dict.fromkeys(each.__struct_fields__, 1))
        hidden = {field for field in each.__struct_fields__ if f"{field}=" not in repr(record)}
        assert hidden, each
        assert hidden <= SECRETS, each


def test_a_refusal_rests_on_clauses_that_exist() -> None:
    assert {refusal: set(refusal.clauses) - CLAUSES for refusal in REFUSALS if set(refusal.clauses) - CLAUSES} == {}


def test_a_variant_cites_clauses_that_exist() -> None:
    cited = {name: {each for own in variant.clauses.values() for each in own} for name, variant in VARIANTS.items()}
    assert {name: clauses - CLAUSES for name, clauses in cited.items() if clauses - CLAUSES} == {}


def test_each_refusal_has_a_code_of_its_own() -> None:
    codes = [refusal.code for refusal in REFUSALS if "code" in vars(refusal)]
    assert len(set(codes)) == len(codes) > 1
