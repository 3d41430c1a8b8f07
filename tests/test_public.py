"""The public names: each is explained by an example, and importing them loads little."""

import importlib
import inspect
import subprocess
import sys
from doctest import DocTestFinder

import pytest

import kingme

HEAVY = ("PIL", "msgspec", "numba", "numpy", "rich", "sqlalchemy", "starlette", "typer", "xml")
OURS = ("kingme.prints", "kingme.engine", "kingme.rules.svg", "kingme.rules.pdn")
MODULES = ("kingme.rules.svg", "kingme.prints")
NAMES = [
    (module, name)
    for module in ("kingme", *MODULES)
    for name in importlib.import_module(module).__all__
]


def loaded(code):
    """What modules there are after some code."""
    script = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(("module", "name"), NAMES, ids=lambda text: text)
def test_a_public_name_has_an_example(module, name):
    home = importlib.import_module(module)
    value = getattr(home, name)
    if inspect.isclass(value) or inspect.isfunction(value):
        (example, *_) = DocTestFinder(recurse=False).find(value, name)
        assert example.examples, f"{module}.{name} has no example"
    else:
        examples = [
            example.source
            for part in ("kingme", "kingme.rules.theme", "kingme.rules.svg")
            for test in DocTestFinder().find(importlib.import_module(part))
            for example in test.examples
        ]
        assert any(name in source for source in examples), f"nothing shows {module}.{name}"


def test_importing_kingme_loads_the_rules_alone():
    names = loaded("import kingme")
    assert "kingme.rules.board" in names
    assert {name for name in names if name.startswith((*HEAVY, *OURS))} == set()


@pytest.mark.parametrize("part", kingme._PARTS)
def test_parts_are_loaded_at_the_first_use(part):
    assert f"kingme.rules.{part}" not in loaded("import kingme")
    assert f"kingme.rules.{part}" in loaded(f"import kingme; kingme.{part}")
    assert f"kingme.rules.{part}" in loaded(f"from kingme import {part}")
    assert getattr(kingme, part) is importlib.import_module(f"kingme.rules.{part}")
    assert part in dir(kingme)


def test_drawing_needs_no_library():
    names = loaded("import kingme; kingme.Board()._repr_svg_()")
    assert {name for name in names if name.startswith(HEAVY)} == set()


def test_there_is_no_other_part():
    with pytest.raises(AttributeError, match="module 'kingme' has no attribute 'pgn'"):
        _ = kingme.pgn  # type: ignore[attr-defined]
