"""The tokens of a player's servers, in a file that only they can read: `~/.config/trickbook/tokens.json`."""

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from api.cli.common.config import CannotAnswer
from api.cli.common.server_option import normal_url

FOLDER_VARIABLE = "XDG_CONFIG_HOME"
OPEN_TO_OTHERS = "{path}: Other users can read your tokens in this file. Run `chmod 600 {path}`."


def tokens_file() -> Path:
    """Return the path of the file; XDG_CONFIG_HOME counts if it's an absolute path."""
    named = Path(os.environ.get(FOLDER_VARIABLE, ""))
    folder = named if named.is_absolute() else Path.home() / ".config"
    return folder / "trickbook" / "tokens.json"


def read_token(url: str) -> str | None:
    """Return the token for a server, or None."""
    return _read().get(normal_url(url))


def keep_token(url: str, token: str | None) -> None:
    """Keep the token for a server, or forget it."""
    kept = {name: each for name, each in _read().items() if name != normal_url(url)}
    _write(kept if token is None else kept | {normal_url(url): token})


def _read() -> dict[str, str]:
    path = tokens_file()
    try:
        with path.open("rb") as file:
            if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                raise CannotAnswer(OPEN_TO_OTHERS.format(path=path))
            kept = json.load(file)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise CannotAnswer(f"{path}: {error.strerror}.") from None
    except ValueError:
        kept = None
    if not isinstance(kept, dict) or not all(isinstance(each, str) for each in kept.values()):
        raise CannotAnswer(f"{path}: This isn't a file of tokens. Remove it, and log in again.")
    return kept


def _write(tokens: Mapping[str, str]) -> None:
    path = tokens_file()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(dict(tokens), file, indent=1)
        draft.replace(path)
    except OSError as error:
        raise CannotAnswer(f"{error.filename or path}: {error.strerror}.") from None
