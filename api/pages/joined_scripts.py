"""Scripts joined into one file for each page, so that a page asks for three files and not for sixty.

The sources stay modules. In a joined file each module is a function that returns what it exports, and the modules that
it imports come before it. The modules of `base`, which all pages share, are joined in one file that the others import.
Scripts that verify games are never joined: they run under node as well, and auditors read them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

SHARED = "base"
APART = frozenset(("check", "verify"))
"""Folders of modules that stay files of their own."""
FOLDER = "joined"
IMPORT = re.compile(
    r"""^import\s+(?:(?P<names>\{[^}]*\}|\*\s+as\s+\w+)\s+from\s+)?"(?P<path>\.[^"]+)";\n""", re.MULTILINE
)
EXPORT_FROM = re.compile(r"""^export\s+\{(?P<names>[^}]*)\}\s+from\s+"(?P<path>\.[^"]+)";\n""", re.MULTILINE)
EXPORT_NAMES = re.compile(r"^export\s+\{(?P<names>[^}]*)\};\n", re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) (?P<name>[\w$]+)", re.MULTILINE)
LOADED_LATER = re.compile(r"""\bimport\("(?P<path>\.[^"]+)"\)""")
OTHER_EXPORT = re.compile(r"^(?:export|import)\b.*", re.MULTILINE)


class CannotJoin(Exception):
    """A script that can't be joined: str(error) says which one and why."""


@dataclass(frozen=True)
class _Module:
    """A module: the other modules that it needs, by path, and the function that it becomes."""

    needs: tuple[str, ...]
    text: str


def joined_scripts(sources: Mapping[str, str], entries: Mapping[str, str]) -> dict[str, str]:
    """Return the joined file of each entry, `{name: path of its module}`, and the shared one, by their paths.

    Raise CannotJoin if modules import each other in a circle, or export in a form that isn't known.
    """
    modules = {path: _read(path, text) for path, text in sources.items() if path.split("/")[0] not in APART}
    orders = {name: _in_order(path, modules) for name, path in entries.items()}
    shared = list(dict.fromkeys(path for order in orders.values() for path in order if _is_shared(path)))
    files = {f"{FOLDER}/{SHARED}.js": _join(shared, modules, f"export {{ {', '.join(map(_name, shared))} }};\n")}
    for name, path in entries.items():
        own = [each for each in orders[name] if not _is_shared(each)]
        used = [_name(each) for each in orders[name] if _is_shared(each)]
        exported = ", ".join(_exports(sources[path]))
        files[f"{FOLDER}/{name}.js"] = f'import {{ {", ".join(used)} }} from "./{SHARED}.js";\n' + _join(
            own, modules, f"export const {{ {exported} }} = {_name(path)};\n" if exported else ""
        )
    return files


def _is_shared(path: str) -> bool:
    return path.startswith(f"{SHARED}/")


def _join(paths: list[str], modules: Mapping[str, _Module], end: str) -> str:
    apart = dict.fromkeys(each for path in paths for each in modules[path].needs if each not in modules)
    imports = "".join(f'import * as {_name(path)} from "../{path}";\n' for path in apart)
    return imports + "".join(modules[path].text for path in paths) + end


def _in_order(path: str, modules: Mapping[str, _Module]) -> list[str]:
    """Return a module and all that it needs, each after what it needs itself."""
    done: dict[str, None] = {}
    begun: list[str] = []

    def visit(path: str) -> None:
        if path in done or path not in modules:
            return
        if path in begun:
            raise CannotJoin(f"These modules import each other: {', '.join(begun[begun.index(path) :])}.")
        begun.append(path)
        for needed in modules[path].needs:
            visit(needed)
        begun.pop()
        done[path] = None

    visit(path)
    return list(done)


def _read(path: str, text: str) -> _Module:
    """Return a module as a function. What it loads later is there at once, unless it's a file of its own."""
    needs: dict[str, None] = {}
    given: dict[str, str] = {name: name for name in _exports(text)}

    def taken(found: re.Match[str]) -> str:
        needed = absolute_path(path, found["path"])
        needs[needed] = None
        names = found["names"]
        if names is None:
            return ""
        if names.startswith("*"):
            return f"const {names.split()[-1]} = {_name(needed)};\n"
        return f"const {{ {', '.join(': '.join(pair) for pair in _pairs(names[1:-1]))} }} = {_name(needed)};\n"

    def passed_on(found: re.Match[str]) -> str:
        needed = absolute_path(path, found["path"])
        needs[needed] = None
        given.update({new: f"{_name(needed)}.{old}" for old, new in _pairs(found["names"])})
        return ""

    def named(found: re.Match[str]) -> str:
        given.update({new: old for old, new in _pairs(found["names"])})
        return ""

    def later(found: re.Match[str]) -> str:
        needed = absolute_path(path, found["path"])
        if needed.split("/")[0] in APART:
            return f'import("../{needed}")'
        needs[needed] = None
        return f"Promise.resolve({_name(needed)})"

    body = EXPORT_NAMES.sub(named, EXPORT_FROM.sub(passed_on, IMPORT.sub(taken, text)))
    body = LOADED_LATER.sub(later, EXPORT.sub(r"\1 \g<name>", body))
    if other := OTHER_EXPORT.search(body):
        raise CannotJoin(f"{path} has {other[0]!r}, which can't be joined.")
    exported = ", ".join(name if name == value else f"{name}: {value}" for name, value in given.items())
    return _Module(tuple(needs), f"const {_name(path)} = (() => {{\n{body}return {{ {exported} }};\n}})();\n")


def _exports(text: str) -> Iterator[str]:
    return (found["name"] for found in EXPORT.finditer(text))


def _pairs(names: str) -> Iterator[tuple[str, str]]:
    """Yield the names of `a, b as c` as (a, a) and (b, c)."""
    for each in filter(None, map(str.strip, names.split(","))):
        old, _, new = each.partition(" as ")
        yield old, new or old


def _name(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def absolute_path(path: str, relative: str) -> str:
    """Return the path of a module that another imports by a relative one."""
    parts = list(PurePosixPath(path).parent.parts)
    for part in relative.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
