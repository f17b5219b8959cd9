"""Where the program is."""

import os
import shutil
import sys
import sysconfig
from typing import Iterator

from ._errors import ProgramNotFound


def _script_folders() -> Iterator[str]:
    yield sysconfig.get_path("scripts")
    # `pip install --user`, and `pip install --target DIR`, which puts scripts into DIR/bin.
    scheme = f"{os.name}_user"
    if scheme in sysconfig.get_scheme_names():
        yield sysconfig.get_path("scripts", scheme=scheme)
    yield os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin")


def find_program() -> str:
    """The path of the program: the one that the wheel brought, otherwise the first in `PATH`."""
    folders = list(_script_folders())
    for folder in folders:
        path = os.path.join(folder, "rejudge")
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    found = shutil.which("rejudge")
    if found is None:
        raise ProgramNotFound(
            f"the program `rejudge` is neither in {', '.join(folders)} nor in PATH\n"
            f"help: install it with `{sys.executable} -m pip install rejudge`, or name it: `Judge(rejudge=\"/path/to/rejudge\")`"
        )
    return found
