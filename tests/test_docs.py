"""Every example in the README and in the docstrings does what it says."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from kingme.cli.app import app

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def name(path: Path) -> str:
    """A file as pytest should name it."""
    return path.relative_to(ROOT).as_posix()


EXAMPLES = [path for path in sorted(SOURCE.rglob("*.py")) if ">>> " in path.read_text()]


@pytest.mark.parametrize("path", EXAMPLES, ids=name)
def test_examples_in_docstrings(path):
    parts = path.relative_to(SOURCE).with_suffix("").parts
    module = importlib.import_module(".".join(part for part in parts if part != "__init__"))
    results = doctest.testmod(module, optionflags=FLAGS)
    assert results.failed == 0
    assert results.attempted > 0


@pytest.mark.parametrize(
    "folder", ["play", "store", "bus", "prints", "web", "web/live", "cli", "web/static"]
)
def test_the_map_of_the_code_is_complete(folder):
    text = (ROOT / "docs" / "architecture.md").read_text()
    files = [*(SOURCE / "kingme" / folder).glob("*.py"), *(SOURCE / "kingme" / folder).glob("*.js")]
    names = {path.name for path in files} - {"__init__.py"}
    named = set(re.findall(r"`[\w/.]*?(\w+\.(?:py|js))`", text))
    in_cli = {f"{command}.py" for command in ("app", "perft", "play", "serve", "warm")}
    assert names - named - (in_cli if folder == "cli" else set()) == set()


def test_examples_in_the_readme():
    results = doctest.testfile(
        str(ROOT / "README.md"), module_relative=False, optionflags=FLAGS, encoding="utf-8"
    )
    assert results.failed == 0
    assert results.attempted > 0


def commands(path: Path) -> list[list[str]]:
    """The calls of ``kingme`` in the shell examples of a page, word by word."""
    blocks = re.findall(r"^```sh\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [line.split()[1:] for line in lines if line.startswith(".venv/bin/kingme ")]


@pytest.mark.parametrize("words", commands(ROOT / "README.md"), ids=" ".join)
def test_commands_in_the_readme_are_understood(words):
    command = get_command(app)
    while isinstance(command, TyperGroup):
        command, words = command.commands[words[0]], words[1:]
    command.make_context(command.name, words)


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_links_lead_somewhere(path):
    targets = re.findall(r"\]\((?!https?://|#)([^)#]+)", path.read_text())
    assert [target for target in targets if not (path.parent / target).exists()] == []
