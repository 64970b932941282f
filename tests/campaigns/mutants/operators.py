"""The changes of mutants: the operators of mutmut, and the ones it lacks."""

from collections.abc import Callable, Iterator
from typing import Any

import libcst as cst
import libcst.matchers as m
from mutmut.mutation.mutators import mutation_operators, operator_arg_removal, operator_string

NO, NONE = cst.Name("False"), cst.Name("None")


def dropped_filter(node: cst.CompFor) -> Iterator[cst.CSTNode]:
    """Drop one `if` of a comprehension: `[card for card in cards if card != low]` takes all cards."""
    for at in range(len(node.ifs)):
        yield node.with_changes(ifs=[*node.ifs[:at], *node.ifs[at + 1 :]])


def dropped_condition(node: cst.BooleanOperation) -> Iterator[cst.CSTNode]:
    """Drop one side of an `and` or an `or`."""
    for side in (node.left, node.right):
        yield side.with_changes(lpar=[cst.LeftParen(), *side.lpar], rpar=[*side.rpar, cst.RightParen()])


def branch_never_taken(node: cst.If) -> Iterator[cst.CSTNode]:
    """Never take a branch."""
    yield node.with_changes(test=NO, whitespace_before_test=cst.SimpleWhitespace(" "))


def one_less(node: cst.Integer) -> Iterator[cst.CSTNode]:
    """Make an integer one smaller; mutmut makes it one larger."""
    less = node.evaluated_value - 1
    yield node.with_changes(value=str(less)) if less >= 0 else cst.parse_expression("(-1)")


def lost_argument(node: cst.Call) -> Iterator[cst.CSTNode]:
    """Pass None, or leave a keyword argument out; without a positional argument, most calls fail whatever is tested."""
    for at, argument in enumerate(node.args):
        if argument.keyword is not None:
            yield node.with_changes(args=[*node.args[:at], *node.args[at + 1 :]])
        elif not argument.star and not m.matches(argument.value, m.Name("None")):
            yield node.with_changes(args=[*node.args[:at], argument.with_changes(value=NONE), *node.args[at + 1 :]])


def marked_string(node: cst.BaseString) -> Iterator[cst.CSTNode]:
    """Put XX around a string, without mutmut's changes of case: most strings here are codes and field names."""
    yield from list(operator_string(node))[:1]


KINDS: dict[str, str] = {
    "operator_number": "integers off by one",
    "one_less": "integers off by one",
    "dropped_filter": "dropped filters",
    "dropped_condition": "dropped conditions",
    "branch_never_taken": "branches never taken",
    "operator_swap_op": "operators swapped",
    "operator_keywords": "operators swapped",
    "operator_remove_unary_ops": "operators swapped",
    "operator_if_exp": "branches never taken",
    "operator_match": "branches never taken",
    "operator_assignment": "values lost",
    "operator_augmented_assignment": "values lost",
    "lost_argument": "arguments lost",
    "operator_dict_arguments": "arguments lost",
    "operator_lambda": "values lost",
    "operator_name": "values swapped",
    "marked_string": "strings changed",
    "operator_symmetric_string_methods_swap": "operators swapped",
    "operator_unsymmetrical_string_methods_swap": "operators swapped",
}
"""The kind of mutant that each operator makes, for the report."""

Operator = tuple[type[cst.CSTNode], Callable[[Any], Any]]
NARROWER: dict[Any, Any] = {operator_string: marked_string, operator_arg_removal: lost_argument}
OPERATORS: tuple[Operator, ...] = (
    *((kind, NARROWER.get(made, made)) for kind, made in mutation_operators),
    (cst.CompFor, dropped_filter),
    (cst.BooleanOperation, dropped_condition),
    (cst.If, branch_never_taken),
    (cst.Integer, one_less),
)


def changes(node: cst.CSTNode) -> Iterator[tuple[str, cst.CSTNode]]:
    """Yield the kind of each mutant of one node, and the node that takes its place."""
    for accepted, operator in OPERATORS:
        if isinstance(node, accepted):
            for changed in operator(node):
                yield KINDS[operator.__name__], changed
