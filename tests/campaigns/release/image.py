"""Build the image of a Dockerfile without docker, as far as that goes: every step is run, on this machine's Python."""

import shlex
import shutil
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from string import Template

from dockerfile_parse import DockerfileParser

from tests.campaigns.release.stage import Stage

NOTES = ("CMD", "COMMENT", "ENTRYPOINT", "EXPOSE", "HEALTHCHECK", "VOLUME")
"""Instructions that change no file."""


class Image:
    """An image while it is built from the files in `project`; `folder` receives its stages."""

    def __init__(self, project: Path, folder: Path) -> None:
        self.context, self.folder = folder / "context", folder
        self.stages: dict[str, Stage] = {}
        self.stage = Stage(folder / "none")
        self._steps: dict[str, Callable[[str], None]] = {
            "COPY": self._copy,
            "ENV": self._env,
            "FROM": self._from,
            "RUN": self._run,
            "USER": self._user,
            "WORKDIR": self._workdir,
        }
        send_context(project, self.context)

    def build(self, dockerfile: Path) -> Stage:
        """Run every instruction, and return the last stage."""
        parser = DockerfileParser(path=str(self.folder / "Dockerfile"))
        parser.content = dockerfile.read_text(encoding="utf-8")
        for each in parser.structure:
            name, value = str(each["instruction"]), str(each["value"])
            if name in NOTES:
                self.stage.notes[name] = value
            else:
                self._steps[name](value)
        return self.stage

    def _from(self, value: str) -> None:
        name = value.partition(" AS ")[2] or "last"
        earlier = next(iter(self.stages.values()), None)
        self.stage = self.stages[name] = Stage(self.folder / name)
        self.stage.add_python(earlier)

    def _run(self, value: str) -> None:
        self.stage.run(value)

    def _env(self, value: str) -> None:
        for each in shlex.split(value):
            name, _, text = each.partition("=")
            self.stage.environment[name] = Template(text).substitute(self.stage.environment)

    def _user(self, value: str) -> None:
        self.stage.user = value

    def _workdir(self, value: str) -> None:
        self.stage.workdir = "/"
        self.stage.run(f"mkdir -p {shlex.quote(value)}")
        self.stage.workdir = value

    def _copy(self, value: str) -> None:
        *sources, target = value.split()
        origin = self.context
        if sources[0].startswith("--from="):
            origin = self.stages[sources.pop(0).removeprefix("--from=")].written("/")
        place = self.stage.written(str(Path(self.stage.workdir, target)))
        for source in sources:
            copy(origin / source.lstrip("/"), place)


def copy(source: Path, place: Path) -> None:
    """Copy a folder's content into `place`, or a file into the folder `place`."""
    if source.is_dir():
        shutil.copytree(source, place, symlinks=True, dirs_exist_ok=True)
    else:
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, place)


def send_context(project: Path, folder: Path) -> None:
    """Copy what .dockerignore leaves: it must ignore everything, then name exceptions, and then `**/` patterns."""
    lines = (project / ".dockerignore").read_text(encoding="utf-8").splitlines()
    first, *others = [line for line in lines if line and not line.startswith("#")]
    assert first == "*", "an allowlist begins with *"
    assert all(line.startswith(("!", "**/")) for line in others), f"a pattern that this can't read: {others}"
    ignored = [line.removeprefix("**/") for line in others if line.startswith("**/")]
    folder.mkdir()
    for name in (line[1:] for line in others if line.startswith("!")):
        if (source := project / name).is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns(*ignored))
        elif not any(fnmatch(name, pattern) for pattern in ignored):
            shutil.copy2(source, folder)
