"""What the operator reads: the tables of the rooms, the reports, the audit trail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kingme.cli.admin_shared import JsonOption, opened, show
from kingme.cli.output import say

if TYPE_CHECKING:
    from kingme.play.room import Room

__all__ = ["audit", "reports", "rooms"]

LimitOption = Annotated[int, typer.Option(min=1, max=10_000, help="How many at most.")]


def rooms(ctx: typer.Context, as_json: JsonOption = False) -> None:
    """Check the rooms of the settings, and print what each result brings in them."""
    import msgspec

    from kingme.play.room import MEMBERSHIPS

    found = ctx.obj.settings.rooms
    if as_json:
        show([msgspec.to_builtins(room) for room in found.values()], as_json, "")
        return
    for number, room in enumerate(found.values()):
        if number:
            say("")
        opens = f"{MEMBERSHIPS[room.membership]} members" if room.membership != "none" else "all"
        rules = f", draws by the preset {room.preset}" if room.preset else ""
        say(f"{room.title} ({room.name}), open to {opens}{rules}. {room.summary}".rstrip())
        say("")
        show([*_chips(room), _points(room)], False, "")


def _chips(room: Room) -> list[dict[str, object]]:
    """What each result brings in chips, a line a stake."""
    return [
        {"stake": stake, **{line.ending: f"{line.chips:+}" for line in room.table(stake)}}
        for stake in room.stakes
    ]


def _points(room: Room) -> dict[str, object]:
    """What each result brings in points, whatever the stake."""
    return {"stake": "points", **{line.ending: line.points for line in room.table(room.stakes[0])}}


def reports(ctx: typer.Context, limit: LimitOption = 50, as_json: JsonOption = False) -> None:
    """List the players' reports about others, newest first."""
    with opened(ctx) as store:
        found = store.service.reports(limit)
        people = {int(str(row[key])) for row in found for key in ("by", "about")}
        names = {user.id: user.name for user in store.users.users(people).values()}
    if not as_json:
        found = [
            {**row, **{key: names[int(str(row[key]))] for key in ("by", "about")}} for row in found
        ]
    show(found, as_json, "There are no reports.")


def audit(ctx: typer.Context, limit: LimitOption = 50, as_json: JsonOption = False) -> None:
    """List what operators did, newest first."""
    with opened(ctx) as store:
        found = store.service.trail(limit)
    show(found, as_json, "Nothing was done yet.")
