"""The examples in `deploy` and `docs/deploy.md`: as far as the programs they are for are here."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main
from typer.core import TyperGroup

from kingme.cli.app import app
from kingme.engine.kernels.cachedir import VARIABLE
from kingme.web.settings import ENVIRONMENT, load

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
GUIDE = ROOT / "docs" / "deploy.md"
FILES = [GUIDE, *sorted(DEPLOY.iterdir())]
UNITS = sorted([*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")])
COMPOSE = {"KINGME_SITE", "KINGME_PASSWORD"}
PROGRAM = "/opt/kingme/bin/kingme"


def name(path: Path) -> str:
    """A file as pytest should name it."""
    return path.name


def program(called: str) -> str:
    found = shutil.which(called)
    if found is None:
        pytest.skip(f"there is no {called} here")
    return found


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def commands(group: TyperGroup, *words: str) -> Iterator[tuple[str, ...]]:
    """Every command there is, as its words."""
    for word, command in group.commands.items():
        yield (*words, word)
        if isinstance(command, TyperGroup):
            yield from commands(command, *words, word)


def test_every_guide_and_unit_is_looked_at():
    assert len(UNITS) == 4
    assert all(path.read_text().strip() for path in FILES)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_what_they_set_is_a_setting(path):
    known = {*ENVIRONMENT, "KINGME_CONFIG", VARIABLE, *COMPOSE}
    assert set(re.findall(r"\bKINGME_[A-Z_]+", path.read_text())) <= known


@pytest.mark.parametrize("path", FILES, ids=name)
def test_what_they_run_is_a_command(path):
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    known = set(commands(group))
    text = path.read_text().replace("exec kingme kingme", "exec kingme")
    text = re.sub(r"kingme-admin(?= [a-z])", "bin/kingme admin", text)
    for line in re.findall(r"(?:bin/|`|exec )kingme ((?:[a-z]+ ?)+)", text):
        words = tuple(line.split())
        assert any(words[:length] in known for length in range(1, len(words) + 1)), words
        assert words[0] != "admin" or len(words) == 1 or words[:2] in known, words


def test_the_table_of_commands_is_whole():
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    text = GUIDE.read_text()
    for _, *words in (found for found in commands(group) if found[0] == "admin"):
        assert not words or words in (["users"], ["chips"]) or f"`{' '.join(words)}" in text, words


def test_the_settings_in_the_guide_are_read(tmp_path):
    blocks = re.findall(r"```toml\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        path = tmp_path / "kingme.toml"
        path.write_text(block)
        load(path, {})


@pytest.mark.parametrize("path", UNITS, ids=name)
def test_units_are_understood_by_systemd(path, tmp_path):
    analyse = program("systemd-analyze")
    for unit in UNITS:
        copy = tmp_path / unit.name.replace("@.", "@8642.")
        copy.write_text(unit.read_text().replace(PROGRAM, sys.executable))
    run(analyse, "verify", "--man=no", str(tmp_path / path.name.replace("@.", "@8642.")))


def test_the_operators_command_has_what_the_server_has(tmp_path, monkeypatch):
    """`kingme-admin` with a systemd-run that says what it was asked for."""
    asked = tmp_path / "systemd-run"
    asked.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    asked.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("SUDO_USER", "mary")
    command = [str(DEPLOY / "kingme-admin"), "backup", "/a b"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert said[-4:] == [PROGRAM, "admin", "backup", "/a b"]
    assert "--setenv=SUDO_USER=mary" in said
    told = {line.removeprefix("--property=") for line in said if line.startswith("--property=")}
    unit = (DEPLOY / "kingme-backup.service").read_text().splitlines()
    kept = ("User=", "Group=", "Environment=KINGME", "EnvironmentFile=", "StateDir", "UMask=")
    assert told == {line for line in unit if line.startswith(kept)}


def test_nginx_understands_its_site(tmp_path):
    nginx, openssl = program("nginx"), program("openssl")
    key, certificate = tmp_path / "key.pem", tmp_path / "chain.pem"
    run(
        *(openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"),
        *("-keyout", str(key), "-out", str(certificate)),
    )
    site = (DEPLOY / "nginx.conf").read_text()
    site = re.sub(r"(?<=ssl_certificate ).*;", f" {certificate};", site)
    site = re.sub(r"(?<=ssl_certificate_key ).*;", f"{key};", site)
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{site}\n}}\n")
    run(nginx, "-t", "-p", str(tmp_path), "-e", str(tmp_path / "log"), "-c", str(whole))


@pytest.mark.parametrize("called", ["Caddyfile", "Caddyfile.compose"])
def test_caddy_understands_its_file(called, monkeypatch):
    monkeypatch.setenv("KINGME_SITE", "checkers.example.org")
    run(program("caddy"), "adapt", "--adapter", "caddyfile", "--config", str(DEPLOY / called))


def test_the_containers_fit_together():
    yaml = pytest.importorskip("yaml")
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = composed["services"]
    for service in services.values():
        assert set(service["networks"]) <= set(composed["networks"])
        assert set(service.get("depends_on", ())) <= set(services)
        for mounted in service.get("volumes", ()):
            source = mounted.partition(":")[0]
            found = (
                (DEPLOY / source).exists() if source[0] == "." else source in composed["volumes"]
            )
            assert found, mounted
    build = services["kingme"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).exists()
    (subnet,) = composed["networks"]["inside"]["ipam"]["config"]
    assert services["kingme"]["environment"]["KINGME_PROXIES"] == subnet["subnet"]
