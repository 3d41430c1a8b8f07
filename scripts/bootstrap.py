"""Prepare `.venv`, this clone's own virtual environment: `bootstrap.py play|dev|docs`.

`play` installs what the app needs, `dev` also what the tests and checks need, `docs` what the app
and the documentation need, each exactly as locked in `requirements/`. Only Python itself is needed:
no ensurepip, no pip, no root. When nothing changed since the last run, it returns at once and says
nothing.

Standard library only, in syntax that older Pythons also read, so that they too get a clear message.
See docs/decisions/0003-locks-and-bootstrap.md.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STATE = VENV / "kingme.json"
LOG = ROOT / ".cache" / "bootstrap.log"

OLDEST, NEWEST = (3, 11), (3, 14)
PROFILES = ("play", "dev", "docs")

# A person's pip settings that would put the libraries elsewhere; all others are respected.
MISLEADING = ("PIP_PREFIX", "PIP_QUIET", "PIP_REQUIRE_HASHES", "PIP_ROOT", "PIP_TARGET", "PIP_USER")
NEEDED_MB = {"play": 700, "dev": 1500, "docs": 1000}
EXTRAS = {"play": "", "dev": " and test tools", "docs": " and documentation tools"}

# What pip prints when something outside this project is in the way, and what a person can do.
TROUBLES = (
    (
        ("No space left on device",),
        "The disk is full. Free some space, then run the same command again.",
    ),
    (
        ("CERTIFICATE_VERIFY_FAILED", "SSLError"),
        "The package index was reached, but its certificate is not trusted here. Behind a company\n"
        "proxy, set PIP_CERT to the proxy's certificate file, then run the same command again.",
    ),
    (
        ("DO NOT MATCH THE HASHES",),
        "A downloaded package is not the one that is locked, so it was not installed.\n"
        "If you use a package mirror, check it; otherwise run the same command again.",
    ),
    (
        (
            *("NewConnectionError", "NameResolutionError", "ConnectTimeout", "ProxyError"),
            *("Max retries", "timed out"),
        ),
        "The package index could not be reached. Check the network (or your proxy and\n"
        "PIP_INDEX_URL), then run the same command again: what was downloaded is kept.",
    ),
    (
        ("Permission denied",),
        "A file could not be written. Does this folder belong to another user?",
    ),
    (
        ("No matching distribution found", "Could not find a version"),
        "The package index has no ready-made package for this machine and Python.",
    ),
)


class BootstrapError(Exception):
    """Something stands in the way; the text says what, and what to do."""


@dataclass(frozen=True)
class State:
    """What this script knows about `.venv`; kept inside it as JSON."""

    path: str  # where it was made: its scripts run only from there
    python: str  # the version that it was made with
    libraries: dict[str, str] = field(default_factory=dict)  # digest of the lock, by profile
    project: str = ""  # digest of the pyproject.toml that the command was installed from
    unfinished: bool = False  # a machine stopped in the middle of an install


def main(arguments: list[str]) -> int:
    """Bring `.venv` up to date for the named profile and return an exit status."""
    if len(arguments) != 1 or arguments[0] not in PROFILES:
        print(f"usage: bootstrap.py {'|'.join(PROFILES)}", file=sys.stderr)
        return 2
    try:
        use_supported_python(arguments)
        with one_at_a_time():
            prepare(arguments[0])
    except BootstrapError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again to go on.", file=sys.stderr)
        return 130
    return 0


def use_supported_python(arguments: list[str]) -> None:
    """Go on only under a supported Python; start this script again under one that is on PATH."""
    if OLDEST <= sys.version_info[:2] <= NEWEST:
        return
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        other = shutil.which(f"python3.{minor}")
        if other and runs(other):
            os.execv(other, [other, __file__, *arguments])
    raise BootstrapError(
        f"kingme needs Python {dotted(OLDEST)} to {dotted(NEWEST)};"
        f" {sys.executable} is {running()}.\n"
        "Install one of those, or name it: make play PYTHON=/path/to/python3"
    )


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold this clone's lock, so that two commands do not install into `.venv` at once."""
    try:
        LOG.parent.mkdir(exist_ok=True)
        handle = (LOG.parent / "bootstrap.lock").open("w")
    except OSError as error:
        raise BootstrapError(f"Cannot write in {ROOT}: {error.strerror}.") from error
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another command is preparing .venv; waiting for it.", flush=True)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def prepare(profile: str) -> None:
    """Make or mend `.venv` until it holds the profile's locked libraries and this project."""
    state = read_state() or made_by_hand()
    fault = "it is not an environment" if state is None else find_fault(state)
    if state is None or fault:
        if VENV.exists():
            print(f"Making .venv anew: {fault}.", flush=True)
        state = create_environment()
    if not covered(state, profile):
        state = install_libraries(state, profile)
    project = digest(ROOT / "pyproject.toml")
    if state.project != project:
        run_pip("--no-deps", "--no-build-isolation", "--editable", str(ROOT))
        write_state(replace(state, project=project))


def covered(state: State, profile: str) -> bool:
    """Whether the profile's libraries are installed as locked; all hold those of `play`."""
    holders = PROFILES if profile == "play" else (profile,)
    return any(state.libraries.get(name) == digest(lock_file(name)) for name in holders)


def install_libraries(state: State, profile: str) -> State:
    """Install the profile's lock, marking the environment unfinished for as long as it takes."""
    lock = lock_file(profile)
    needed, free = NEEDED_MB[profile], shutil.disk_usage(ROOT).free >> 20
    if free < needed:
        raise BootstrapError(
            f"Preparing .venv needs about {needed} MB of disk space, and {free} MB are free."
        )
    what = f"the app's libraries{EXTRAS[profile]}"
    print(f"Preparing .venv with Python {running()}: {what}.", flush=True)
    # A machine that stops in here leaves the mark, and the next run makes a new environment.
    write_state(replace(state, unfinished=True))
    try:
        install_pip(lock)
        total = len(pinned(lock))
        options = ("--require-hashes", "--only-binary=:all:", "--requirement", str(lock))
        run_pip(*options, total=total)
    except BootstrapError:
        write_state(state)  # pip itself failed, so it put everything back
        raise
    state = replace(state, libraries={**state.libraries, profile: digest(lock)})
    write_state(state)
    return state


# --- the environment -----------------------------------------------------------------------------


def find_fault(state: State) -> str:
    """Why `.venv` cannot be used as it is, or nothing."""
    if state.unfinished:
        return "the last install was interrupted"
    if state.path != str(VENV):
        return f"it was made in {Path(state.path).parent}"
    if state.python != running():
        return f"it was made with Python {state.python}"
    if not (VENV / "bin" / "python").exists():
        return "its Python is gone"
    return ""


def made_by_hand() -> State | None:
    """The state of a `.venv` that a person made of the running Python: it is used as it is."""
    python = str(VENV / "bin" / "python")
    check = "import sys; print(sys.prefix, '%d.%d' % sys.version_info[:2], sep='\\n')"
    try:
        found = subprocess.run(
            [python, "-I", "-c", check], stdout=subprocess.PIPE, text=True, check=False
        )
    except OSError:
        return None
    mine = found.stdout.splitlines() == [str(VENV), running()]
    return State(str(VENV), running()) if mine else None


def create_environment() -> State:
    """Replace `.venv` by an empty environment of the running Python."""
    remove(VENV)
    try:
        # Debian's python3 alone has no ensurepip; install_pip brings pip instead.
        venv.EnvBuilder(symlinks=True, with_pip=False).create(str(VENV))
    except OSError as error:
        raise BootstrapError(f"Cannot create {VENV}: {error.strerror or error}.") from error
    state = State(str(VENV), running())
    write_state(state)
    return state


def read_state() -> State | None:
    """What this script last recorded in `.venv`, or None where that cannot be told."""
    try:
        return State(**json.loads(STATE.read_text()))
    except (OSError, TypeError, ValueError):
        return None


def write_state(state: State) -> None:
    """Record the state whole or not at all."""
    draft = STATE.with_suffix(".new")
    try:
        draft.write_text(json.dumps(asdict(state), indent=1) + "\n")
        draft.replace(STATE)
    except OSError as error:
        raise BootstrapError(f"Cannot write {STATE}: {error.strerror}.") from error


def remove(path: Path) -> None:
    """Remove a folder, or the link or file that stands in its place."""
    try:
        if path.is_symlink() or path.is_file():
            path.unlink()
        elif path.exists():
            shutil.rmtree(path)
    except OSError as error:
        raise BootstrapError(f"Cannot remove {path}: {error.strerror}.") from error


# --- pip -----------------------------------------------------------------------------------------


def install_pip(lock: Path) -> None:
    """Put the locked pip into `.venv` from the wheel kept beside this script."""
    version, hashes = pinned(lock)["pip"]
    wheel = ROOT / "scripts" / "vendor" / f"pip-{version}-py3-none-any.whl"
    if not wheel.is_file() or digest(wheel) not in hashes:
        raise BootstrapError(f"{wheel} is not the locked one. Try: git checkout scripts/vendor")
    run_pip("--no-index", "--no-deps", str(wheel), program=(str(wheel / "pip"),))


def run_pip(*options: str, program: tuple[str, ...] = ("-m", "pip"), total: int = 0) -> None:
    """Run `pip install` inside `.venv`, showing calm progress; explain it if it fails."""
    # -I: a PYTHONPATH or a user's site folder must not leak into the environment.
    python = (str(VENV / "bin" / "python"), "-I")
    command = [*python, *program, "install", "--progress-bar=off", *options]
    environment = {name: value for name, value in os.environ.items() if name not in MISLEADING}
    environment.update(PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_COLOR="1", PIP_NO_INPUT="1")
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment,
    )
    lines: list[str] = []
    progress = Progress(total)
    with LOG.open("a") as log, process:
        for line in process.stdout or ():
            log.write(line)
            lines.append(line)
            progress.see(line)
    progress.close()
    if process.returncode:
        raise BootstrapError(explain("".join(lines)))


class Progress:
    """Turns pip's output into one line that moves on a terminal, and into two lines elsewhere."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.seen = 0
        self.moving = total > 0 and sys.stdout.isatty()

    def see(self, line: str) -> None:
        """Take one line of pip's output."""
        found = re.match(r"Collecting ([A-Za-z0-9._-]+)", line)
        if found:
            self.seen += 1
            self.show(f"fetching {min(self.seen, self.total)} of {self.total}: {found.group(1)}")
        elif line.startswith("Installing collected packages"):
            self.show("installing")
            if self.total and not self.moving:
                print("  fetched; installing", flush=True)

    def show(self, text: str) -> None:
        """Replace the moving line."""
        if self.moving:
            print(f"\r\033[K  {text}", end="", flush=True)

    def close(self) -> None:
        """Leave a clean line behind."""
        if self.moving:
            print("\r\033[K", end="", flush=True)


def explain(output: str) -> str:
    """What to tell a person about a failed pip run."""
    for marks, advice in TROUBLES:
        if any(mark in output for mark in marks):
            return f"{advice}\n(pip's own words are at the end of {LOG})"
    tail = "\n".join(output.rstrip().splitlines()[-12:])
    return f"pip could not install the libraries:\n{tail}\n(all of it is in {LOG})"


# --- small things --------------------------------------------------------------------------------


def lock_file(profile: str) -> Path:
    """The lock of a profile."""
    return ROOT / "requirements" / f"{profile}.lock"


def pinned(lock: Path) -> dict[str, tuple[str, list[str]]]:
    """Each locked name with its version and its sha256 digests."""
    found: dict[str, tuple[str, list[str]]] = {}
    for block in re.split(r"\n(?=[A-Za-z0-9])", lock.read_text()):
        start = re.match(r"([A-Za-z0-9._-]+)==(\S+)", block)
        if start:
            found[start.group(1)] = (start.group(2), re.findall(r"sha256:([0-9a-f]{64})", block))
    return found


def digest(path: Path) -> str:
    """The sha256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def running() -> str:
    """The version of the running Python, as 3.11."""
    return dotted(sys.version_info[:2])


def dotted(version: tuple[int, ...]) -> str:
    """A version as people write it."""
    return ".".join(str(part) for part in version)


def runs(python: str) -> bool:
    """Whether that Python starts, is supported, and can make an environment."""
    check = f"import sys, venv; raise SystemExit(not {OLDEST} <= sys.version_info[:2] <= {NEWEST})"
    return (
        subprocess.run([python, "-c", check], stderr=subprocess.DEVNULL, check=False).returncode
        == 0
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
