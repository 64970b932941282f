"""All mutants of a module, in a fixed order and with names that survive changes elsewhere in the file."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import unified_diff
from hashlib import sha256
from pathlib import Path

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider, WhitespaceInclusivePositionProvider
from mutmut.mutation.file_mutation import deep_replace

from tests.campaigns.mutants.operators import changes

ROOT = Path(__file__).parents[3]
MODULE = "<module>"
"""The scope of what runs at import: tables, constants, fields, decorators, defaults."""
SAME_TO_CALLERS = frozenset({"cast", "len", "isinstance", "TypeVar", "NewType", "field"})
"""Calls whose arguments aren't mutated: types only, or a TypeError whatever the test."""


@dataclass(frozen=True)
class Mutant:
    """One change of one function, or of what a module does at import. `first` to `last` are its lines."""

    path: str
    scope: str
    kind: str
    name: str
    first: int
    last: int
    edit: "Edit"

    def source(self) -> str:
        """Return the whole module with the change."""
        return self.edit.applied()

    def lines(self) -> tuple[str, str]:
        """Return the lines that the change removes and the ones it puts there, without their indentation."""
        return _changed_lines(self.edit.source, self.source())

    def diff(self) -> str:
        """Return the change as a unified diff."""
        before, after = self.edit.source.splitlines(), self.source().splitlines()
        return "\n".join(unified_diff(before, after, self.path, f"mutant {self.name}", n=2, lineterm=""))


def modules(paths: Iterable[str]) -> list[str]:
    """Return the modules below these paths, relative to the root, sorted."""
    found = {
        file for path in paths for file in ([ROOT / path] if path.endswith(".py") else (ROOT / path).rglob("*.py"))
    }
    return sorted(file.relative_to(ROOT).as_posix() for file in found)


def mutants_of(path: str, text: str | None = None) -> list[Mutant]:
    """Return every mutant of a module, or of a text in its place, each once, in the order of its lines."""
    source = (ROOT / path).read_text(encoding="utf-8") if text is None else text
    wrapper = MetadataWrapper(cst.parse_module(source))
    walk = _Walk(wrapper.module, source)
    wrapper.visit(walk)
    times, mutants, seen = Counter[tuple[str, ...]](), list[Mutant](), set[tuple[object, str]]()
    for scope, kind, edit, (first, last) in walk.found:
        was, now = (wrapper.module.code_for_node(node).strip() for node in (edit.node, edit.changed))
        if was == now or (edit.node, now) in seen:
            continue
        seen.add((edit.node, now))
        key = (path, scope, was, now)
        times[key] += 1
        name = sha256("\0".join((*key, str(times[key]))).encode()).hexdigest()[:12]
        mutants.append(Mutant(path, scope, kind, name, first, last, edit))
    return mutants


def _changed_lines(before: str, after: str) -> tuple[str, str]:
    old, new = before.splitlines(), after.splitlines()
    head = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return _joined(old[head : len(old) - tail]), _joined(new[head : len(new) - tail])


def _joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines)


@dataclass(frozen=True, eq=False)
class Edit:
    """A node of a module's statement, and the node that takes its place."""

    module: cst.Module
    source: str
    statement: cst.CSTNode
    lines: CodeRange
    node: cst.CSTNode
    changed: cst.CSTNode

    def applied(self) -> str:
        """Return the whole source with the statement written again."""
        lines = self.source.splitlines(keepends=True)
        statement = deep_replace(self.statement, self.node, self.changed)
        written = self.module.code_for_node(statement)  # type: ignore[arg-type]
        end = self.lines.end
        return "".join([*lines[: self.lines.start.line - 1], written, *lines[end.line - (end.column == 0) :]])


class _Walk(cst.CSTVisitor):
    """Finds the changes of a module. A node's scope is the function or method it's in the body of."""

    METADATA_DEPENDENCIES = (PositionProvider, WhitespaceInclusivePositionProvider)

    def __init__(self, module: cst.Module, source: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str, Edit, tuple[int, int]]] = []
        self._module, self._source = module, source
        self._top = set(module.body)
        self._statement: cst.CSTNode | None = None
        self._names: list[str] = []
        self._bodies: dict[cst.CSTNode, str] = {}
        self._scopes = [MODULE]
        self._lines: list[CodeRange] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if _is_left_alone(node):
            return False
        if node in self._top:
            self._statement = node
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            self._names.append(node.name.value)
            if isinstance(node, cst.FunctionDef) and len(self._scopes) == 1:
                self._bodies[node.body] = ".".join(self._names)
        if node in self._bodies:
            self._scopes.append(self._bodies[node])
        if isinstance(node, cst.SimpleStatementLine):
            self._lines.append(self._range(node))
        if self._statement is not None:
            self._add(node, self._statement)
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if _is_left_alone(original_node):
            return
        if isinstance(original_node, cst.FunctionDef | cst.ClassDef):
            self._names.pop()
        if original_node in self._bodies:
            self._scopes.pop()
        if isinstance(original_node, cst.SimpleStatementLine):
            self._lines.pop()

    def _range(self, node: cst.CSTNode) -> CodeRange:
        found: CodeRange = self.get_metadata(PositionProvider, node)
        return found

    def _add(self, node: cst.CSTNode, statement: cst.CSTNode) -> None:
        scope = self._scopes[-1]
        for kind, changed in changes(node):
            if scope == MODULE and isinstance(node, cst.Assign | cst.AnnAssign):
                continue
            at = self._lines[-1] if self._lines else self._range(node.test if isinstance(node, cst.If) else node)
            whole: CodeRange = self.get_metadata(WhitespaceInclusivePositionProvider, statement)
            edit = Edit(self._module, self._source, statement, whole, node, changed)
            self.found.append((scope, kind, edit, (at.start.line, at.end.line)))


def _is_left_alone(node: cst.CSTNode) -> bool:
    """Return whether a node is for readers and type checkers only, or its change breaks every import or call."""
    if isinstance(node, cst.Annotation | cst.Decorator | cst.Import | cst.ImportFrom | cst.TypeAlias):
        return True
    if isinstance(node, cst.Call):
        return isinstance(node.func, cst.Name) and node.func.value in SAME_TO_CALLERS
    if isinstance(node, cst.If):
        return isinstance(node.test, cst.Name) and node.test.value == "TYPE_CHECKING"
    if isinstance(node, cst.Assign):
        return (
            isinstance(node.value, cst.Subscript)
            and isinstance(node.targets[0].target, cst.Name)
            and (node.targets[0].target.value[0].isupper() and not node.targets[0].target.value.isupper())
        )
    return False
