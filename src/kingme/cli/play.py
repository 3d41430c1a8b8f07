"""`kingme play`: serve the game on this machine and open it in a browser."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
import sys
import threading
import webbrowser
from typing import Annotated

import typer

from kingme.cli.compiling import tell_unkept
from kingme.cli.output import announce

__all__ = ["PORT", "address", "listen", "play"]

PORT = 8642

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (only read)
"""Names for every interface, each with this machine's own."""

UNAVAILABLE = (errno.EADDRINUSE, errno.EACCES)


def play(
    host: Annotated[
        str,
        typer.Option(help="The address to listen on; 0.0.0.0 for everyone on the network."),
    ] = "127.0.0.1",
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
    """Play checkers in the browser.

    Against the computer, with someone beside you, or with others on the network. The page is served
    to this machine alone, unless another address is named. Games between people are kept in
    KINGME_DATA_DIR, or where this machine keeps such data.
    """
    from kingme.web.app import create_app
    from kingme.web.serve import serve
    from kingme.web.settings import LOOPBACK, Settings

    tell_unkept()
    if not host.strip():
        message = "name an address: 127.0.0.1 for this machine, 0.0.0.0 for the network"
        raise typer.BadParameter(message, param_hint="--host")
    try:
        listener = listen(host, port)
    except (OSError, UnicodeError) as error:
        typer.echo(refusal(host, port, error), err=True)
        raise typer.Exit(1) from None
    bound, chosen = listener.getsockname()[:2]
    url = address(host, chosen)
    local = ipaddress.ip_address(bound.partition("%")[0]).is_loopback

    def greet() -> None:
        announce(f"kingme is ready:  {url}")
        if port is None and chosen != PORT:
            announce(f"Port {PORT} is taken. A game kept in the browser belongs to that address.")
        if not local:
            announce(f"Others on your network can reach it, at {shared_address(bound, chosen)}")
        announce("Stop it with Ctrl+C.")
        if browser:
            threading.Thread(target=open_browser, args=(url,), daemon=True).start()

    hosts = LOOPBACK | {host.lower()} if local else None
    folder = os.environ.get("KINGME_DATA_DIR") or None
    serve(create_app(Settings(hosts=hosts, data_dir=folder)), listener, greet)
    announce("\nkingme has stopped.")


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
            if port is None and choice and error.errno in UNAVAILABLE:
                continue
            raise
        return listener
    raise AssertionError("one of the choices is returned or raised")


def refusal(host: str, port: int | None, error: Exception) -> str:
    """One line on why nothing can listen there, with a way out where there is one."""
    where = host if port is None else f"{host}:{port}"
    reason = getattr(error, "strerror", None) or str(error)
    line = f"kingme cannot listen on {where}: {reason}."
    if getattr(error, "errno", None) in UNAVAILABLE:
        line += " Another port may be free: --port 0 takes any that is."
    return line


def address(host: str, port: int) -> str:
    """The address to open: a name for every interface becomes this machine's own."""
    name = EVERYWHERE.get(host, host)
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def shared_address(bound: str, port: int) -> str:
    """The address for others: where every interface was asked for, that of the usual one."""
    if bound not in EVERYWHERE:
        return address(bound, port)
    family, somewhere = (
        (socket.AF_INET6, "2001:db8::1") if ":" in bound else (socket.AF_INET, "192.0.2.1")
    )
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((somewhere, 9))  # sends nothing: it only chooses the way
            return address(probe.getsockname()[0], port)
    except OSError:
        return address(socket.gethostname(), port)


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
