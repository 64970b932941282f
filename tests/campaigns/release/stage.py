"""A stage of an image without docker: a root of its own, in which steps run as written.

The root is this machine's file system, except that what a step writes goes to a folder (overlayfs). So steps use the
real paths and tools. It needs root's rights and Linux.
"""

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

PYTHON = "/usr/local/python"
"""The folder of the Python that stands for the base image's."""
ENTER = """
folder=$1 user=$2
shift 2
if [ "$1" = --net ]; then ip link set lo up; shift; fi
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/written,workdir=$folder/work" "$folder/root"
for place in dev proc; do mount --rbind "/$place" "$folder/root/$place"; done
exec env -i "$@" chroot --userspec="$user" "$folder/root" /bin/sh -ec 'cd "$WORKDIR"; eval "$STEP"'
"""
LEFT_OUT = ("PIP_NO_CACHE_DIR",)
"""Settings of the image without which a step does the same: what `make setup` downloaded isn't downloaded again."""


PATIENCE_S = 600
"""The time limit for a step. The longest installs all requirements, in about ten seconds of processor time."""


@dataclass
class Stage:
    """The folders of a stage, and the settings that hold for its next step."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    workdir: str = "/"
    user: str = "0:0"
    notes: dict[str, str] = field(default_factory=dict)
    """The value of each instruction that changes no file."""

    def __post_init__(self) -> None:
        for name in ("written", "work", "root"):
            (self.folder / name).mkdir(parents=True)
        self.environment["HOME"] = "/root"
        self.environment["PATH"] = f"{PYTHON}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    def start(self, step: str, *options: str) -> "subprocess.CompletedProcess[str]":
        """Run a step to its end; with the option --net it has a network of its own."""
        pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        given = {**pip, "PIP_NO_COMPILE": "1", **self.environment, "STEP": step, "WORKDIR": self.workdir}
        settings = [f"{name}={value}" for name, value in given.items() if name not in LEFT_OUT]
        command = ["unshare", "--mount", *options, "sh", "-ec", ENTER, "sh", str(self.folder), self.user]
        return subprocess.run(
            [*command, *options, *settings], capture_output=True, text=True, check=False, timeout=PATIENCE_S
        )

    def run(self, step: str, *options: str) -> str:
        """Run a step that must succeed, and return its output."""
        done = self.start(step, *options)
        assert done.returncode == 0, f"{step}\n{done.stdout}{done.stderr}"
        return done.stdout

    def add_python(self, like: "Stage | None") -> None:
        """Put `python` and `pip` where steps find them, as the base image does, and let every user run them."""
        base = Path(sys.base_prefix).resolve()
        self.run(f"chmod o+x {shlex.join(str(folder) for folder in (base, *base.parents))}")
        if like is None:
            self.run(f"{shlex.quote(str(base / 'bin' / 'python3'))} -m venv {PYTHON}")
        else:
            shutil.copytree(like.written(PYTHON), self.written(PYTHON), symlinks=True)

    def written(self, place: str) -> Path:
        """Return where `place` in the image is in this machine, if a step wrote it."""
        return self.folder / "written" / place.lstrip("/")
