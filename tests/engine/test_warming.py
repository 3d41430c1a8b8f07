"""Compiling in the background, and where the result is kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from kingme.engine import warming
from kingme.engine.kernels import cachedir, sealing
from kingme.engine.kernels.sealing import SUFFIX, Entries
from kingme.engine.opponent import Opponent

PYTHON = sys.executable


@pytest.fixture
def afresh():
    """Forget the folder found before, and again afterwards."""
    cachedir.folder.cache_clear()
    yield
    cachedir.folder.cache_clear()


def python(code: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_importing_the_engine_loads_no_compiler():
    code = (
        "import sys, kingme, kingme.engine.opponent, kingme.engine.levels, kingme.engine.warming\n"
        "print(*sorted({'numba', 'numpy', 'llvmlite'} & set(sys.modules)))"
    )
    assert python(code) == ""


def test_the_folder_is_named_by_what_is_compiled(afresh, tmp_path, monkeypatch):
    monkeypatch.setenv(cachedir.VARIABLE, str(tmp_path))
    assert cachedir.folder() == tmp_path / "kernels" / cachedir.digest()
    assert len(cachedir.digest()) == 16
    assert not cachedir.stamped()
    write_entry("one")
    cachedir.stamp()
    assert cachedir.stamped()
    (tmp_path / "kernels" / cachedir.digest() / "complete").write_text("another processor")
    assert not cachedir.stamped()


def write_entry(name: str) -> Path:
    """Keep an entry as numba does, in the present folder."""
    place = cachedir.folder()
    assert place is not None
    Entries(place, name, "stamp").save("key", "code")
    (path,) = place.glob(f"{name}.*")
    return path


def blocked(tmp_path: Path) -> str:
    """A path that cannot be a folder, for root either."""
    file = tmp_path / "file"
    file.write_text("")
    return str(file / "below")


def test_a_folder_that_cannot_be_written_is_passed_over(afresh, tmp_path, monkeypatch):
    monkeypatch.setenv(cachedir.VARIABLE, blocked(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    assert cachedir.folder() == tmp_path / "home" / "kingme" / "kernels" / cachedir.digest()


def test_without_a_home_the_temporary_folder_serves(afresh, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", blocked(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    found = cachedir.folder()
    assert found is not None
    assert found.parent == tmp_path
    assert found.stat().st_mode & 0o077 == 0


def test_a_temporary_folder_that_others_can_write_is_refused(afresh, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", blocked(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    found = cachedir.folder()
    assert found is not None
    found.chmod(0o777)
    cachedir.folder.cache_clear()
    assert cachedir.folder() is None
    with pytest.raises(warming.WarmingError, match="no folder"):
        warming.warm(lambda *_: None)


def test_kernels_work_where_nothing_can_be_kept(tmp_path):
    code = (
        "import tempfile\n"
        f"tempfile.tempdir = {blocked(tmp_path)!r}\n"
        "from kingme.engine.kernels import bits, cachedir, jit\n"
        "assert cachedir.folder() is None\n"
        "double = jit.kernel('uint64(uint64)')(lambda word: word << 1)\n"
        "print(double(bits.ONE))"
    )
    assert python(code, XDG_CACHE_HOME=blocked(tmp_path), HOME=blocked(tmp_path)) == "2"


def test_numba_keeps_its_setting(monkeypatch):
    from numba.core import config

    from kingme.engine.kernels import jit

    before = config.CACHE_DIR
    jit.kernel("int64(int64)")(abs_twin)
    assert before == config.CACHE_DIR


def abs_twin(number):
    return abs(number)


def other_folders(place: Path, newest: float) -> list[Path]:
    """Seven folders of other versions, each a day older than the one before."""
    made = []
    for number in range(7):
        old = place.parent / f"{number:016x}"
        old.mkdir()
        (old / "one.kernel").write_text("")
        os.utime(old, (newest - number * DAY,) * 2)
        made.append(old)
    return made


DAY = 24 * 3600


def test_folders_long_unused_go_and_the_last_few_stay(afresh, tmp_path, monkeypatch):
    monkeypatch.setenv(cachedir.VARIABLE, str(tmp_path))
    place = cachedir.folder()
    assert place is not None
    folders = other_folders(place, time.time() - 40 * DAY)
    mine = place.parent / "not-of-kingme"
    mine.mkdir()
    cachedir.prune()
    assert {*place.parent.iterdir()} == {place, mine, *folders[:4]}


def test_folders_that_others_may_use_stay(afresh, tmp_path, monkeypatch):
    monkeypatch.setenv(cachedir.VARIABLE, str(tmp_path))
    place = cachedir.folder()
    assert place is not None
    folders = other_folders(place, time.time())
    cachedir.prune()
    assert {*place.parent.iterdir()} == {place, *folders}


def test_using_a_folder_is_noted(afresh, tmp_path, monkeypatch):
    monkeypatch.setenv(cachedir.VARIABLE, str(tmp_path))
    place = cachedir.folder()
    assert place is not None
    write_entry("one")
    cachedir.stamp()
    os.utime(place, (1_000_000, 1_000_000))
    assert cachedir.stamped()
    assert place.stat().st_mtime > 1_000_000


def test_two_installations_of_the_same_code_keep_apart(tmp_path):
    """Numba keeps code by the place of its source, so a mark for both would say too much."""
    digests = set()
    for name in ("one", "two"):
        copy = tmp_path / name / "kernels"
        shutil.copytree(Path(cachedir.__file__).parent, copy)
        code = f"import runpy\nprint(runpy.run_path({str(copy / 'cachedir.py')!r})['digest']())"
        digests |= {python(code), python(code)}
    assert len(digests) == 2


def test_a_full_cache_needs_no_compiling():
    steps: list[int] = []
    warming.warm(lambda number, count, what: steps.append(number))
    again: list[int] = []
    assert not warming.warm(lambda number, count, what: again.append(number))
    assert again == []
    assert steps in ([], list(range(1, len(warming.STEPS) + 1)))


DAMAGES = {
    "emptied": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "garbage": lambda data: bytes(range(256)) * (len(data) // 256),
    "flipped": lambda data: data[:-100] + bytes([data[-100] ^ 16]) + data[-99:],
    "flipped in the seal": lambda data: bytes([data[0] ^ 1]) + data[1:],
}
"""What may become of a file, by a full disk, a loss of power or a bad block."""


@pytest.fixture
def copied(tmp_path):
    """A full cache of one's own: its folder, and the variables that lead to it."""
    warming.warm(lambda *_: None)
    place = cachedir.folder()
    assert place is not None
    copy = tmp_path / "cache" / "kernels" / place.name
    shutil.copytree(place, copy)
    return copy, {**os.environ, cachedir.VARIABLE: str(tmp_path / "cache")}


def program(environment: dict[str, str], *words: str) -> subprocess.Popen[str]:
    """Start ``kingme`` as a person does."""
    command = [PYTHON, "-m", "kingme", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True)


def quick_ones(copy: Path) -> list[Path]:
    """The smallest files of the engine's in the cache, which are compiled soon.

    Those of self-play, which other tests may have compiled, are not warmed.
    """
    needed = (
        path for path in copy.glob(f"kernels_*/*{SUFFIX}") if not path.name.startswith("games.")
    )
    return sorted(needed, key=lambda path: path.stat().st_size)


def test_damaged_code_is_told_and_compiled_anew(copied):
    copy, environment = copied
    damaged = dict(zip(quick_ones(copy), DAMAGES.values(), strict=False))
    for path, damage in damaged.items():
        path.write_bytes(damage(path.read_bytes()))
    whole = {path: path.read_bytes() for path in copy.rglob(f"*{SUFFIX}") if path not in damaged}
    first = program(environment, "warm")
    out, err = first.communicate()
    assert first.returncode == 0, err
    assert err == f"note: {len(DAMAGES)} files of compiled code are damaged; compiled anew\n"
    assert "The engine is compiled" in out
    assert all(sealing.sound(path) for path in damaged)
    assert whole == {path: path.read_bytes() for path in whole}
    out, err = program(environment, "warm").communicate()
    assert "was compiled before" in out and not err


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_entry_counts_as_none(afresh, tmp_path, monkeypatch, caplog, damage):
    monkeypatch.setenv(cachedir.VARIABLE, str(tmp_path))
    entries = Entries(tmp_path, "one", "stamp")
    for key in ("key", "another"):
        entries.save(key, list(range(1000)))
    path = entries._path("key")
    path.write_bytes(damage(path.read_bytes()))
    assert [entries.load("key"), entries.load("key")] == [None, None]
    assert entries.load("another") == list(range(1000))
    (said,) = caplog.messages
    assert said == f"{path} is damaged; what is damaged there is compiled anew"
    entries.save("key", 1)
    assert entries.load("key") == 1
    assert Entries(tmp_path, "one", "another stamp").load("key") is None
    entries.flush()
    assert entries.load("key") is None


def test_a_search_says_it_in_one_line_and_goes_on(copied):
    copy, environment = copied
    for path in copy.rglob(f"movegen.count-*{SUFFIX}"):
        path.write_bytes(b"")
    first = program(environment, "solve", "start", "--depth", "5")
    out, err = first.communicate()
    assert first.returncode == 0 and out.startswith("best ")
    assert err == "note: 1 file of compiled code is damaged; compiled anew\n"
    out, err = program(environment, "solve", "start", "--depth", "5").communicate()
    assert out.startswith("best ") and not err


def test_a_mark_is_not_believed_where_a_file_is_missing_or_damaged(afresh, tmp_path, monkeypatch):
    monkeypatch.setenv(cachedir.VARIABLE, str(tmp_path))
    one, two = write_entry("one"), write_entry("two")
    cachedir.stamp()
    data = one.read_bytes()
    one.write_bytes(b"")
    assert not cachedir.stamped() and cachedir.damaged() == 1
    one.write_bytes(data)
    assert cachedir.stamped() and cachedir.damaged() == 0
    two.unlink()
    assert not cachedir.stamped()
    write_entry("two").write_bytes(b"of no kernel any more")
    cachedir.stamp()
    assert cachedir.stamped() and not two.exists()
    (one.parent / cachedir.COMPLETE).write_bytes(b"\xff\xfe")
    assert not cachedir.stamped()


def test_two_that_compile_at_once_leave_a_whole_cache(copied):
    copy, environment = copied
    for path in quick_ones(copy)[:4]:
        path.write_bytes(b"")
    both = [program(environment, "warm") for _ in range(2)]
    for process in both:
        _, err = process.communicate()
        assert process.returncode == 0, err
    assert all(sealing.sound(path) for path in copy.rglob(f"*{SUFFIX}"))
    out, _ = program(environment, "warm").communicate()
    assert "was compiled before" in out
    assert not list(copy.rglob("*.part"))


def test_code_that_cannot_be_kept_runs_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(sealing, "unkept", [])
    entries = Entries(tmp_path / "missing", "one", "stamp")
    entries.save("key", "code")
    assert entries.load("key") is None
    (why,) = sealing.unkept
    assert "cannot be written: No such file" in why


def test_the_warm_command_says_where_the_result_is():
    from typer.testing import CliRunner

    from kingme.cli.app import app

    warming.warm(lambda *_: None)
    result = CliRunner().invoke(app, ["warm"])
    assert result.exit_code == 0
    assert f"in {cachedir.folder()}" in result.output


def test_the_warm_command_shows_its_steps(monkeypatch, tmp_path):
    from typer.testing import CliRunner

    from kingme.cli.app import app

    fake_compiler(monkeypatch, tmp_path, "print('1 moves'); print('2 search')")
    result = CliRunner().invoke(app, ["warm"])
    assert "step 1 of 10: moves" in result.output
    assert "step 2 of 10: search" in result.output


def fake_compiler(monkeypatch, tmp_path, code: str) -> None:
    """Let another program stand for Python, and the cache be empty."""
    program = tmp_path / "python"
    program.write_text(f"#!{PYTHON}\n{code}\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(cachedir, "stamped", lambda: False)


def test_steps_are_reported(monkeypatch, tmp_path):
    fake_compiler(monkeypatch, tmp_path, "print('1 moves'); print('chatter'); print('2 search')")
    steps: list[tuple[int, int, str]] = []
    assert not warming.warm(lambda *step: steps.append(step))  # nothing was compiled
    assert steps == [(1, len(warming.STEPS), "moves"), (2, len(warming.STEPS), "search")]


def test_what_was_compiled_is_told_from_what_was_loaded(afresh, monkeypatch, tmp_path):
    monkeypatch.setenv(cachedir.VARIABLE, str(tmp_path))
    place = cachedir.folder()
    assert place is not None
    code = f"open({str(place / 'one.kernel')!r}, 'a').write('code')"
    fake_compiler(monkeypatch, tmp_path, code)
    assert warming.warm(lambda *_: None)
    fake_compiler(monkeypatch, tmp_path, "print('1 moves')")
    assert not warming.warm(lambda *_: None)


def test_an_unusable_folder_is_mentioned(afresh, monkeypatch, tmp_path):
    from typer.testing import CliRunner

    from kingme.cli.app import app

    fake_compiler(monkeypatch, tmp_path, "print('1 moves')")
    wanted = blocked(tmp_path)
    monkeypatch.setenv(cachedir.VARIABLE, wanted)
    result = CliRunner().invoke(app, ["warm"])
    place = cachedir.folder()
    told = f"note: KINGME_CACHE_DIR cannot be used: {wanted} takes no files; {place} does\n"
    assert f"The engine was compiled before, in {cachedir.folder()}" in result.stdout
    assert result.stderr == told
    monkeypatch.setattr(cachedir, "folder", lambda: None)
    result = CliRunner().invoke(app, ["perft", "1"])
    assert result.stderr.startswith("note: no folder takes files, so compiled code is not kept")
    monkeypatch.undo()


def test_an_interrupt_ends_the_compiler(monkeypatch, tmp_path):
    mark = tmp_path / "pid"
    code = (
        f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid()))\n"
        "print('1 moves', flush=True); time.sleep(99)"
    )
    fake_compiler(monkeypatch, tmp_path, code)

    def interrupt(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        warming.warm(interrupt)
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)


def test_a_compiler_that_fails_says_why(monkeypatch, tmp_path):
    fake_compiler(monkeypatch, tmp_path, "raise SystemExit('no space left')")
    with pytest.raises(warming.WarmingError, match="status 1: no space left"):
        warming.warm(lambda *_: None)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "missing"))
    with pytest.raises(warming.WarmingError, match="could not be started"):
        warming.warm(lambda *_: None)


def test_an_opponent_whose_compiler_fails_says_why(monkeypatch, tmp_path):
    fake_compiler(monkeypatch, tmp_path, "raise SystemExit('no space left')")
    player = Opponent()
    player.start_warming()
    assert not player.wait(60)
    assert "a simpler one answers" in player.detail
    assert "no space left" in player.detail
    player.close()


def test_compiling_is_given_up_when_it_is_cancelled(monkeypatch, tmp_path):
    fake_compiler(
        monkeypatch, tmp_path, "print('1 moves', flush=True); import time; time.sleep(99)"
    )
    cancelled = threading.Event()
    with pytest.raises(warming.WarmingError):
        warming.warm(lambda *_: cancelled.set(), cancelled)


def test_closing_an_opponent_ends_its_compiler(monkeypatch, tmp_path):
    fake_compiler(
        monkeypatch, tmp_path, "print('1 moves', flush=True); import time; time.sleep(99)"
    )
    player = Opponent()
    player.start_warming()
    player.close()
    assert not player.wait(60)
    assert player.detail == "The engine has been closed."


def test_warming_builds_what_the_engine_looks_up(afresh, monkeypatch, tmp_path):
    from kingme.engine.endgames import Tables, files

    warming.warm(lambda *_: None)
    path = files.path_of()
    assert path is not None
    assert files.sound()
    monkeypatch.setattr(files, "VERSION", 0)  # as if it had been made by an older kingme
    assert not files.sound()
    fake_compiler(monkeypatch, tmp_path, "print('9 endgames')")
    monkeypatch.setattr(cachedir, "stamped", lambda: True)
    steps: list[str] = []
    warming.warm(lambda number, count, what: steps.append(what))
    assert steps == ["endgames"]
    assert Tables.ready() is None


def test_an_engine_has_the_database_or_does_without(monkeypatch):
    from kingme.engine.endgames import Tables, files
    from kingme.engine.kernels import tables
    from kingme.engine.local import LocalEngine

    warming.warm(lambda *_: None)
    shared = Tables.load()
    assert LocalEngine(1)._main.ctl[tables.ENDGAMES] == shared.address
    monkeypatch.setattr(files, "VERSION", 0)  # a file that another kingme made is none
    assert LocalEngine(1)._main.ctl[tables.ENDGAMES] == 0
