"""Write `requirements/*.lock` from pyproject.toml: exact versions with digests, for all Pythons.

Run by `make lock`, which keeps the locked versions that still fit, and by `make upgrade`, which
takes the newest. The locked pip's wheel is kept in `scripts/vendor/`: a bare Debian machine has no
pip at first.
"""

from __future__ import annotations

import os
import subprocess
import sys

import bootstrap


def compile_lock(profile: str, group: str, *options: str) -> None:
    """Resolve the app's dependencies with one group into one lock."""
    target = bootstrap.lock_file(profile).relative_to(bootstrap.ROOT)
    command = [
        *(str(bootstrap.VENV / "bin" / "uv"), "pip", "compile", "pyproject.toml", "--quiet"),
        *("--group", group, "--universal", "--python-version", bootstrap.dotted(bootstrap.OLDEST)),
        *("--generate-hashes", "--no-annotate", "--output-file", str(target), *options),
    ]
    environment = dict(os.environ, UV_CUSTOM_COMPILE_COMMAND="make lock")
    subprocess.run(command, cwd=bootstrap.ROOT, env=environment, check=True)
    print(f"{target}: {len(bootstrap.pinned(bootstrap.lock_file(profile)))} packages")


def refresh_pip() -> None:
    """Keep exactly the locked pip's wheel."""
    version, _ = bootstrap.pinned(bootstrap.lock_file("play"))["pip"]
    folder = bootstrap.ROOT / "scripts" / "vendor"
    folder.mkdir(exist_ok=True)
    for wheel in folder.glob("pip-*.whl"):
        if not wheel.name.startswith(f"pip-{version}-"):
            wheel.unlink()
    if not any(folder.glob("pip-*.whl")):
        pip = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--dest",
            str(folder),
        ]
        subprocess.run([*pip, f"pip=={version}"], check=True)


def main() -> None:
    """Lock the app and its tools first, then at the same versions the app alone, and with docs."""
    upgrade = ["--upgrade"] if "--upgrade" in sys.argv[1:] else []
    compile_lock("dev", "dev", *upgrade)
    same = ["--constraint", "requirements/dev.lock", *upgrade]
    compile_lock("play", "build", *same)
    compile_lock("docs", "docs", "--group", "build", *same)
    refresh_pip()


if __name__ == "__main__":
    main()
