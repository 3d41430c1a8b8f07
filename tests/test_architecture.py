"""The shape of the code: layers, purity, size, public names, and what a wheel holds."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import inspect
import itertools
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import kingme

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "kingme"
MODULES = sorted(SOURCE.rglob("*.py"))
WITH_ALL = [path for path in MODULES if "__all__ = " in path.read_text()]
SCRIPTS = sorted((ROOT / "scripts").glob("*.py"))

MODULE_LINES = 500
FUNCTION_LINES = 60
BY_NAME = {"psycopg"}
"""What is imported by others who are told its name, such as SQLAlchemy."""
# What a distribution is imported as, where that is not its name.
IMPORTED_AS = {"argon2-cffi": "argon2", "fpdf2": "fpdf", "pillow": "PIL"}
# SQLAlchemy loads its driver by name, uvicorn its event loop.
LOADED_BY_NAME = {"psycopg", "uvloop"}
HOMES = re.compile(rb"/(?:home|root|Users|tmp)/\w")


def name(path: Path) -> str:
    """A file as pytest should name it."""
    return path.relative_to(ROOT).as_posix()


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def imports(tree: ast.AST) -> Iterator[str]:
    """Every module that a file imports, anywhere in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""


def test_the_map_names_every_module():
    """By its file, or by a folder of one subject that it is in."""
    told = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    words = set(re.findall(r"`([^`\n]+)`", told))
    files = {word.rsplit("/")[-1] for word in words} | {"__init__.py", "__main__.py"}
    by_file = {"src/kingme/cli/", "src/kingme/web/", "static/", "live/"}
    folders = tuple(word for word in words - by_file if word.endswith("/"))
    modules = [*MODULES, *(SOURCE / "web" / "static").rglob("*.js")]
    missing = [
        name(path)
        for path in modules
        if path.name not in files
        and not any(
            f"{folder.as_posix()}/".endswith(folders) for folder in path.relative_to(ROOT).parents
        )
    ]
    assert missing == []


def test_imports_point_down():
    done = run(str(Path(sys.executable).with_name("lint-imports")), "--no-cache")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", sorted((SOURCE / "rules").rglob("*.py")), ids=name)
def test_the_rules_need_the_standard_library_alone(path):
    for module in imports(ast.parse(path.read_text())):
        package, _, rest = module.partition(".")
        ours = package == "kingme" and rest.split(".")[0] in ("rules", "errors")
        assert ours or package in sys.stdlib_module_names, f"{name(path)} imports {module}"


def test_importing_kingme_is_light():
    script = (
        "import sys; before = set(sys.modules); import kingme;"
        "print(*{name.split('.')[0] for name in set(sys.modules) - before})"
    )
    done = run(sys.executable, "-c", script)
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) - sys.stdlib_module_names == {"kingme"}


def test_kingme_exports_what_it_says():
    public = {
        key
        for key, value in vars(kingme).items()
        if not key.startswith("_") and not inspect.ismodule(value)
    }
    assert set(kingme.__all__) == public
    assert len(kingme.__all__) == len(public)


@pytest.mark.parametrize("key", kingme.__all__)
def test_a_public_name_is_explained(key):
    value = getattr(kingme, key)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert inspect.getdoc(value), f"kingme.{key} has no docstring"
        assert value.__module__.startswith(("kingme.rules", "kingme.errors"))


@pytest.mark.parametrize("path", WITH_ALL, ids=name)
def test_all_names_exist(path):
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    module = importlib.import_module(".".join(part for part in parts if part != "__init__"))
    assert [key for key in module.__all__ if not hasattr(module, key)] == []


@pytest.mark.parametrize("path", MODULES + SCRIPTS, ids=name)
def test_a_module_is_small_and_explained(path):
    text = path.read_text()
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "a module begins with what it is about"
    assert len(text.splitlines()) <= MODULE_LINES
    if "kernels" in path.parts:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            assert lines <= FUNCTION_LINES, f"{node.name} has {lines} lines"


def test_no_file_names_a_machine():
    """No committed file holds a path of somebody's machine; this clone's own is one of those."""
    listed = run("git", "ls-files", "-z")
    if listed.returncode:
        pytest.skip("not a git clone")
    found = []
    for path in filter(None, listed.stdout.split("\0")):
        file = ROOT / path
        if file.suffix == ".whl" or not file.is_file():
            continue
        data = file.read_bytes()
        if str(ROOT).encode() in data or HOMES.search(data):
            found.append(path)
    assert found == []


def test_the_wheel_holds_all_that_the_app_needs(tmp_path):
    done = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path))
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    needed = {
        path.relative_to(SOURCE.parent).as_posix()
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    } | {"kingme_command.py"}
    assert "kingme/py.typed" in needed
    assert "kingme/web/templates/play.html" in needed
    assert {path for path in held if ".dist-info/" not in path} == needed
    assert any(path.endswith("licenses/LICENSE") for path in held)


def test_dependencies_are_what_the_code_imports():
    imported = {
        module.partition(".")[0]
        for path in MODULES
        for module in imports(ast.parse(path.read_text()))
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = itertools.chain(*project["project"]["optional-dependencies"].values())
    listed = [*project["project"]["dependencies"], *extras]
    declared = {re.split(r"[^\w-]", item)[0] for item in listed}
    expected = {IMPORTED_AS.get(item, item.replace("-", "_")) for item in declared - LOADED_BY_NAME}
    assert imported - sys.stdlib_module_names - {"kingme", "kingme_command"} == expected


def test_what_is_loaded_by_name_is_declared_and_there():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    for name in LOADED_BY_NAME:
        assert any(re.split(r"[^\w-]", item)[0] == name for item in declared)
        importlib.import_module(name)


def test_every_dependency_is_locked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = {
        "play": project["project"]["dependencies"] + project["dependency-groups"]["build"],
        "dev": [
            item
            for name, group in project["dependency-groups"].items()
            for item in group
            if isinstance(item, str) and name != "docs"
        ],
    }
    wanted["docs"] = project["dependency-groups"]["docs"] + wanted["play"]
    wanted["dev"] += wanted["play"]
    for profile, dependencies in wanted.items():
        lock = (ROOT / "requirements" / f"{profile}.lock").read_text()
        for dependency in dependencies:
            found = re.match(r"[\w-]+", dependency)
            assert found
            assert f"\n{found.group().lower()}==" in lock, f"run 'make lock' for {dependency}"
