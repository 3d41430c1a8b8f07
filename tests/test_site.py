"""The documentation site: its examples, its notebook, its pages, and that it is built in full."""

from __future__ import annotations

import doctest
import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from kingme.cli.app import app

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SESSION = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
TOOLS = ("sphinx", "furo", "myst_nb", "nbclient", "ipykernel")
MISSING = [tool for tool in TOOLS if importlib.util.find_spec(tool) is None]

needs_tools = pytest.mark.skipif(
    bool(MISSING),
    reason=f"the documentation's tools are not installed here ({', '.join(MISSING)}):"
    " 'make docs' installs them",
)


def name(path: Path) -> str:
    """A file as pytest should name it."""
    return path.relative_to(DOCS).as_posix()


def sessions(text: str) -> str:
    """The Python sessions of a page; other lines are empty, so that each keeps its number."""
    lines = [""] * (text.count("\n") + 1)
    for found in SESSION.finditer(text):
        first = text.count("\n", 0, found.start(1))
        for offset, line in enumerate(found[1].splitlines()):
            lines[first + offset] = line
    return "\n".join(lines)


PAGES = [path for path in sorted(DOCS.rglob("*.md")) if ">>> " in path.read_text()]
COMMANDS = [
    (name(path), line)
    for path in sorted(DOCS.rglob("*.md"))
    for block in SHELL.findall(path.read_text())
    for line in block.splitlines()
    if line.startswith(".venv/bin/kingme ")
]


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_examples_in_a_page(path, monkeypatch, tmp_path):
    for file in (DOCS / "files").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(
        sessions(path.read_text()), {"__name__": "__main__"}, name(path), str(path), 0
    )
    results = doctest.DocTestRunner(optionflags=FLAGS).run(test)
    assert results.failed == 0
    assert results.attempted > 0


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=" ".join)
def test_commands_in_a_page_are_understood(page, line):
    words = line.split("#")[0].split()[1:]
    command = get_command(app)
    while isinstance(command, TyperGroup):
        command, words = command.commands[words[0]], words[1:]
    command.make_context(command.name, words)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_a_notebook_is_kept_without_outputs(path):
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert cells
    assert [cell for cell in cells if cell["outputs"] or cell["execution_count"]] == []


@needs_tools
@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_a_notebook_runs_and_shows_boards(path, tmp_path):
    """The whole notebook in a kernel of its own, by nbclient, as a reader runs it."""
    done = run_python(f"""
        import sys
        sys.path.insert(0, {str(DOCS / "extensions")!r})
        from pathlib import Path
        import kernels, nbclient, nbformat
        kernels.keep_to(Path({str(tmp_path)!r}))
        notebook = nbformat.read({str(path)!r}, 4)
        nbclient.NotebookClient(notebook, timeout=120).execute()
        print(nbformat.writes(notebook))
    """)
    assert done.returncode == 0, done.stderr
    ran = json.loads(done.stdout)
    shown = [
        output["data"]
        for cell in ran["cells"]
        if cell["cell_type"] == "code"
        for output in cell["outputs"]
        if "data" in output
    ]
    boards = ["".join(data["image/svg+xml"]) for data in shown if "image/svg+xml" in data]
    assert len(boards) >= 3
    for board in boards:
        assert board.startswith("<svg ")
        assert board.rstrip().endswith("</svg>")
        assert "White: men on" in board
        assert board.count("<use ") >= 6  # a piece each


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The site, built as `make docs` builds it: a warning is an error."""
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, "-d", str(target / "trees"), str(DOCS), str(target / "html")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return target / "html"


@needs_tools
def test_the_site_is_built_without_a_warning(site):
    for page in ("index", "tutorials/first-game", "howto/variants", "notebooks/boards"):
        assert "</html>" in (site / f"{page}.html").read_text()


@needs_tools
def test_boards_are_drawn_in_pages(site):
    assert (site / "tutorials" / "first-game.html").read_text().count("<svg xmlns") >= 3
    assert (site / "notebooks" / "boards.html").read_text().count("<svg xmlns") >= 3


@needs_tools
def test_every_public_name_is_in_the_reference(site):
    import kingme

    pages = [path.read_text() for path in (site / "reference").rglob("*.html")]
    lacking = [
        key
        for key in kingme.__all__
        if not any(re.search(rf'id="kingme\.(?:rules\.\w+\.)?{key}"', page) for page in pages)
    ]
    assert lacking == []


@needs_tools
def test_pages_ask_no_other_machine_for_anything(site):
    loaded = re.compile(
        r"<(?:link|script|img)\b[^>]*?\b(?:href|src)=\"(?:https?:)?//", re.IGNORECASE
    )
    assert [path.name for path in site.rglob("*.html") if loaded.search(path.read_text())] == []


def run_python(script: str) -> subprocess.CompletedProcess[str]:
    """Run a few lines in a Python of their own."""
    lines = [line.removeprefix("        ") for line in script.strip("\n").splitlines()]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONWARNINGS"}
    return subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
