"""`kingme play`: serve the game on this machine and open it in a browser."""

from __future__ import annotations

import errno
import os
import socket
import sys
import threading
import webbrowser
from typing import Annotated

import typer

__all__ = ["PORT", "address", "listen", "play"]

PORT = 8642


def play(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            show_default=False,
            help=f"The port, 0 for any free one. By default {PORT}, or any if that is taken.",
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
) -> None:
    """Play checkers in the browser, against the computer or with someone beside you."""
    from kingme.web.app import create_app
    from kingme.web.serve import serve
    from kingme.web.settings import LOOPBACK, Settings

    try:
        listener = listen(host, port)
    except OSError as error:
        where = host if port is None else f"{host}:{port}"
        typer.echo(f"kingme cannot listen on {where}: {error.strerror or error}.", err=True)
        raise typer.Exit(1) from None
    url = address(host, listener.getsockname()[1])

    def announce() -> None:
        typer.echo(f"kingme is ready:  {url}\nStop it with Ctrl+C.")
        if browser:
            threading.Thread(target=open_browser, args=(url,), daemon=True).start()

    local = host in LOOPBACK or host.startswith("127.")
    serve(create_app(Settings(hosts=LOOPBACK | {host} if local else None)), listener, announce)
    typer.echo("\nkingme has stopped.")


def listen(host: str, port: int | None) -> socket.socket:
    """A listening socket on `port`; where none was asked for, on the usual one or any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for choice in (PORT, 0) if port is None else (port,):
        # The protocol is named since asyncio turns Nagle's delay (40 ms an answer) off only then.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            if os.name == "posix":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, choice))
            listener.listen()
        except OSError as error:
            listener.close()
            taken = error.errno in (errno.EADDRINUSE, errno.EACCES)
            if port is None and choice and taken:
                continue
            raise
        return listener
    raise AssertionError("one of the choices is returned or raised")


def address(host: str, port: int) -> str:
    """The address to open: a name for every interface becomes this machine's own."""
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - only read
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def open_browser(url: str) -> None:
    """Open a browser where the desktop has one; anything else is no reason to stop."""
    desktop = sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    if not desktop:
        return
    try:
        webbrowser.open(url)
    except (OSError, webbrowser.Error):
        typer.echo("No browser could be opened; open the address yourself.", err=True)
