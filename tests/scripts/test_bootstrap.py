"""Preparing `.venv`: what is installed when, and what is said when it cannot be."""

from __future__ import annotations

import ast
import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "bootstrap.py"


def load() -> ModuleType:
    """A fresh copy of the script as a module."""
    spec = importlib.util.spec_from_file_location("bootstrap_under_test", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclass looks itself up there
    spec.loader.exec_module(module)
    return module


class Clone:
    """A clone in a temporary folder whose pip only notes what it is asked for."""

    def __init__(self, root: Path) -> None:
        self.bootstrap: Any = load()
        self.asked: list[str] = []
        (root / "requirements").mkdir(parents=True)
        (root / "pyproject.toml").write_text("[project]\n")
        self.place(root)
        self.lock("play", "1")
        self.lock("dev", "1")
        self.lock("docs", "1")

    def place(self, root: Path) -> None:
        """Say where the clone lies."""
        self.bootstrap.ROOT, self.bootstrap.VENV = root, root / ".venv"
        self.bootstrap.STATE = root / ".venv" / "kingme.json"
        self.bootstrap.LOG = root / ".cache" / "bootstrap.log"

    def lock(self, profile: str, version: str) -> None:
        """Lock another version."""
        self.bootstrap.lock_file(profile).write_text(f"a=={version}\n")

    def prepare(self, profile: str) -> list[str]:
        """What pip was asked to install to prepare the profile."""
        self.asked.clear()
        assert self.bootstrap.main([profile]) == 0
        return list(self.asked)

    def pip(self, *options: str, **_: object) -> None:
        self.asked.append(Path(options[-1]).name)


@pytest.fixture
def clone(tmp_path, monkeypatch) -> Clone:
    made = Clone(tmp_path / "clone")
    monkeypatch.setattr(made.bootstrap, "run_pip", made.pip)
    monkeypatch.setattr(made.bootstrap, "install_pip", lambda lock: None)
    return made


def test_older_pythons_can_read_it():
    ast.parse(SCRIPT.read_text(), feature_version=(3, 8))


def test_first_run_installs_libraries_then_the_project(clone):
    assert clone.prepare("play") == ["play.lock", "clone"]
    assert (clone.bootstrap.VENV / "bin" / "python").exists()


def test_second_run_does_nothing(clone, capsys):
    clone.prepare("play")
    capsys.readouterr()
    assert clone.prepare("play") == []
    assert capsys.readouterr().out == ""


def test_dev_holds_play(clone):
    assert clone.prepare("dev") == ["dev.lock", "clone"]
    assert clone.prepare("play") == []


def test_play_does_not_hold_dev(clone):
    clone.prepare("play")
    assert clone.prepare("dev") == ["dev.lock"]


def test_docs_hold_play_and_are_apart_from_dev(clone):
    assert clone.prepare("docs") == ["docs.lock", "clone"]
    assert clone.prepare("play") == []
    assert clone.prepare("dev") == ["dev.lock"]
    assert clone.prepare("docs") == []


def test_a_changed_lock_is_installed(clone):
    clone.prepare("play")
    clone.lock("play", "2")
    assert clone.prepare("play") == ["play.lock"]


def test_a_changed_project_is_installed_again(clone):
    clone.prepare("play")
    (clone.bootstrap.ROOT / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert clone.prepare("play") == ["clone"]


def test_a_moved_clone_starts_anew(clone, capsys):
    clone.prepare("play")
    clone.place(clone.bootstrap.ROOT.rename(clone.bootstrap.ROOT.with_name("moved")))
    assert clone.prepare("play") == ["play.lock", "moved"]
    assert "Making .venv anew: it was made in " in capsys.readouterr().out


def test_another_python_starts_anew(clone):
    clone.prepare("play")
    clone.bootstrap.write_state(replace(clone.bootstrap.read_state(), python="3.10"))
    assert clone.prepare("play") == ["play.lock", "clone"]


def test_a_removed_python_starts_anew(clone):
    clone.prepare("play")
    (clone.bootstrap.VENV / "bin" / "python").unlink()
    assert clone.prepare("play") == ["play.lock", "clone"]


def test_an_interrupted_install_starts_anew(clone, monkeypatch, capsys):
    def stop(*options: str, **_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(clone.bootstrap, "run_pip", stop)
    assert clone.bootstrap.main(["play"]) == 130
    assert "Run the same command again" in capsys.readouterr().err
    leftover = clone.bootstrap.VENV / "leftover"
    leftover.touch()
    monkeypatch.setattr(clone.bootstrap, "run_pip", clone.pip)
    assert clone.prepare("play") == ["play.lock", "clone"]
    assert not leftover.exists()
    assert "the last install was interrupted" in capsys.readouterr().out


def test_a_failed_install_goes_on_where_it_was(clone, monkeypatch, capsys):
    def fail(*options: str, **_: object) -> None:
        raise clone.bootstrap.BootstrapError("no network")

    monkeypatch.setattr(clone.bootstrap, "run_pip", fail)
    assert clone.bootstrap.main(["play"]) == 1
    assert "no network" in capsys.readouterr().err
    kept = clone.bootstrap.VENV / "kept"
    kept.touch()
    monkeypatch.setattr(clone.bootstrap, "run_pip", clone.pip)
    assert clone.prepare("play") == ["play.lock", "clone"]
    assert kept.exists()


def test_an_environment_made_by_hand_is_used(clone):
    clone.bootstrap.create_environment()
    clone.bootstrap.STATE.unlink()
    kept = clone.bootstrap.VENV / "kept"
    kept.touch()
    assert clone.prepare("play") == ["play.lock", "clone"]
    assert kept.exists()


def test_a_broken_environment_is_replaced(clone):
    clone.bootstrap.VENV.mkdir()
    (clone.bootstrap.VENV / "rubbish").touch()
    assert clone.prepare("play") == ["play.lock", "clone"]
    assert not (clone.bootstrap.VENV / "rubbish").exists()


def test_too_little_disk_is_said(clone, monkeypatch, capsys):
    small = SimpleNamespace(free=10 * 2**20)
    monkeypatch.setattr(clone.bootstrap.shutil, "disk_usage", lambda path: small)
    assert clone.bootstrap.main(["play"]) == 1
    assert "10 MB are free" in capsys.readouterr().err


def test_an_unsupported_python_is_said(clone, monkeypatch, capsys):
    monkeypatch.setattr(clone.bootstrap, "NEWEST", (3, 10))
    assert clone.bootstrap.main(["play"]) == 1
    assert "kingme needs Python 3.11" in capsys.readouterr().err
    assert not clone.bootstrap.VENV.exists()


def test_wrong_arguments_are_said(clone, capsys):
    assert clone.bootstrap.main([]) == 2
    assert clone.bootstrap.main(["all"]) == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("output", "advice"),
    [
        ("OSError: [Errno 28] No space left on device", "disk is full"),
        ("NewConnectionError(... Name or service not known)\nNo matching distribution", "network"),
        ("SSLError(... CERTIFICATE_VERIFY_FAILED ...) Max retries exceeded", "PIP_CERT"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", "not the one that is locked"),
        ("ERROR: No matching distribution found for numba==0.1", "no ready-made package"),
        ("something new", "something new"),
    ],
)
def test_pips_troubles_are_explained(clone, output, advice):
    assert advice in clone.bootstrap.explain(output)


@pytest.mark.parametrize("profile", ["play", "dev"])
def test_the_vendored_pip_is_the_locked_one(profile):
    bootstrap = load()
    version, hashes = bootstrap.pinned(bootstrap.lock_file(profile))["pip"]
    wheel = bootstrap.ROOT / "scripts" / "vendor" / f"pip-{version}-py3-none-any.whl"
    assert bootstrap.digest(wheel) in hashes
