"""The layout that a newcomer can rely on: folders of features, no crumbs, and imports without a circle."""

import re
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter

import grimp

from tests.layout.product import PACKAGES, ROOT, modules

CRUMB = 40
"""Lines: a smaller module belongs to its one importer."""
TOP = {
    "CHANGELOG.md", "CONTRIBUTING.md", "Dockerfile", "LICENSE", "Makefile", "README.md", "docker-compose.yml",
    "package.json", "package-lock.json", "properdocs.yml", "pyproject.toml", "requirements.txt",
    "requirements-build.txt", "requirements-dev.txt", "biome.json", "tsconfig.json", ".ci", ".dockerignore",
    ".gitignore", "api", "bench", "docs", "domain", "projections", "replay", "tests", "trickbook",
}  # fmt: skip
"""Everything that git may track at the top of the repository."""


@cache
def imports() -> dict[str, set[str]]:
    """Each module of the product with the modules it imports, imports inside functions included."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def circle(graph: dict[str, set[str]]) -> list[str]:
    """The modules of one circle of imports, the first again at the end; [] if there are no circles."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle(imports()) == []


def test_a_folder_of_api_is_a_feature_with_at_most_one_folder_within() -> None:
    deep = [path for path in modules() if path.is_relative_to(ROOT / "api") and len(path.relative_to(ROOT).parts) > 4]
    assert [str(path) for path in deep] == []


def test_a_module_of_api_that_one_other_imports_is_more_than_a_crumb() -> None:
    importers = Counter(imported for found in imports().values() for imported in found)
    ours = [path.relative_to(ROOT) for path in modules() if path.is_relative_to(ROOT / "api")]
    small = [path for path in ours if len((ROOT / path).read_text(encoding="utf-8").splitlines()) < CRUMB]
    alone = [path for path in small if importers[".".join(path.with_suffix("").parts)] == 1]
    assert [str(path) for path in alone] == []


def test_no_route_asks_for_rights_since_the_functions_it_calls_do() -> None:
    asks = re.compile(r"\brequire_(player|token|role|seat|present_seat)\b")
    routes = [path for path in modules() if "routes" in path.relative_to(ROOT).with_suffix("").parts]
    assert [str(path) for path in routes if asks.search(path.read_text(encoding="utf-8"))] == []


def test_every_package_says_what_lives_in_it() -> None:
    packages = [path for path in modules() if path.name == "__init__.py"]
    assert [str(path) for path in packages if not path.read_text(encoding="utf-8").split('"""')[1].strip()] == []


def test_nothing_unexpected_lies_at_the_top() -> None:
    present = {path.name for path in ROOT.iterdir()}
    made = {".git", ".venv", "data", "build", "dist", "htmlcov", "node_modules"}
    unexpected = {name for name in present - TOP - made if not name.startswith((".", "__"))}
    assert {name for name in unexpected if not name.endswith(".egg-info")} == set()


def test_each_coroutine_of_a_test_runs_in_a_thread_of_its_own() -> None:
    tests = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    direct = re.compile(r"^ +.*\basyncio\.run\(", re.MULTILINE)  # unlike the programs that tests write
    assert [str(path) for path, text in tests.items() if direct.search(text)] == []
