"""Rooms: who may sit down, what is shown beforehand, and what an operator may configure."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingme import PRESETS
from kingme.errors import Refusal, SettingsError
from kingme.play import room as rooms
from kingme.play.clock import TimeControl
from kingme.play.room import DEFAULT_ROOMS, ENDINGS, Room, Terms, room_of, rooms_from

GUIDE = (Path(__file__).parents[2] / "docs" / "rooms.md").read_text(encoding="utf-8")
PASSPORT, TOURIST, PRIORITY = DEFAULT_ROOMS.values()


def refusal(call, *arguments, **named) -> Refusal:
    with pytest.raises(Refusal) as caught:
        call(*arguments, **named)
    return caught.value


def fault(toml: str) -> str:
    """What an operator is told about these settings."""
    with pytest.raises(SettingsError) as caught:
        rooms_from(tomllib.loads(toml)["room"])
    return str(caught.value)


class TestDefaults:
    def test_the_three_rooms_and_whom_they_are_open_to(self):
        assert [(room.name, room.membership) for room in DEFAULT_ROOMS.values()] == [
            ("passport", "none"),
            ("tourist", "vip"),
            ("priority", "premium"),
        ]
        assert list(DEFAULT_ROOMS) == [room.name for room in DEFAULT_ROOMS.values()]

    def test_a_table_says_in_numbers_what_each_ending_brings(self):
        def shown(room: Room, stake: int):
            return [(line.title, line.chips, line.points) for line in room.table(stake)]

        assert shown(PASSPORT, 25) == [
            ("Win", 25, 10),
            ("Draw", 0, 5),
            ("Loss", -25, 2),
            ("Resignation", -25, 1),
            ("Desertion", -25, 0),
        ]
        assert shown(TOURIST, 400)[0] == ("Win", 380, 15)
        assert shown(PRIORITY, 5000)[0] == ("Win", 4850, 20)
        assert {line.chips for line in TOURIST.table(0)} == {0}
        assert [line.ending for line in PRIORITY.table(0)] == list(ENDINGS)

    @pytest.mark.parametrize("room", DEFAULT_ROOMS.values(), ids=DEFAULT_ROOMS)
    def test_figures_are_sensible(self, room):
        for stake in room.stakes:
            chips = {line.ending: line.chips for line in room.table(stake)}
            assert all(percent * stake % 100 == 0 for percent in room.chips.values())
            assert chips["win"] > 0 or not stake
            assert chips["loss"] == chips["resignation"] == chips["desertion"] == -stake
        points = [line.points for line in room.table(0)]
        assert points == sorted(set(points), reverse=True), "a better ending brings more points"

    def test_what_the_docstring_says_is_so(self):
        table = (rooms.__doc__ or "").split("===\n")[2]
        for text, room in zip(re.split(r"\n(?=\w)", table), DEFAULT_ROOMS.values(), strict=True):
            assert text.split()[0] == room.title
            figures = [*room.stakes, room.chips["win"], *room.points.values()]
            assert sorted(map(int, re.findall(r"\d+", text))) == sorted(figures)

    def test_what_the_page_on_rooms_says_is_so(self):
        rows = [line.split(" | ") for line in GUIDE.splitlines() if line.startswith("| P")]
        rows += [line.split(" | ") for line in GUIDE.splitlines() if line.startswith("| T")]
        assert len(rows) == 6
        for title, *cells in rows:
            room = DEFAULT_ROOMS[title.strip("| ").lower()]
            numbers = [int(n) for n in re.findall(r"\d+", " ".join(cells))]
            if len(cells) == 5 and "%" not in cells[-1]:
                assert numbers == list(room.points.values())
            else:
                assert numbers == [*room.stakes, room.chips["win"], 0, 100]

    def test_its_example_is_a_server_with_two_rooms(self):
        (example,) = re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)
        passport, club = rooms_from(tomllib.loads(example)["room"]).values()
        assert passport == msgspec.structs.replace(PASSPORT, stakes=(0, 5, 10))
        assert club.rules("tournament") == "tournament"
        assert [line.chips for line in club.table(50)] == [45, 0, -50, -45, -50]
        assert club.points == {**PASSPORT.points, "win": 12}

    def test_without_tables_there_are_the_default_rooms(self):
        assert rooms_from([]) == DEFAULT_ROOMS
        assert rooms_from([]) is not DEFAULT_ROOMS


class TestSittingDown:
    @pytest.mark.parametrize(
        ("membership", "titles"),
        [
            ("none", ["Passport"]),
            ("vip", ["Passport", "Tourist"]),
            ("premium", ["Passport", "Tourist", "Priority"]),
        ],
    )
    def test_each_membership_opens_what_those_before_it_open(self, membership, titles):
        opened = [r.title for r in DEFAULT_ROOMS.values() if r.opens_to(membership)]
        assert opened == titles
        for room in DEFAULT_ROOMS.values():
            if room.title in titles:
                room.admit(membership, guest=False, stake=room.stakes[-1], rated=True)
            else:
                refused = refusal(room.admit, membership, guest=False, stake=0, rated=False)
                assert refused.code == "room_closed"

    def test_the_refusal_names_the_membership(self):
        refused = refusal(TOURIST.admit, "none", guest=False, stake=100, rated=False)
        assert str(refused) == "Tourist is for VIP members."
        refused = refusal(PRIORITY.admit, "vip", guest=False, stake=0, rated=False)
        assert str(refused) == "Priority is for Premium members."

    def test_guests_play_casual_games_without_a_stake(self):
        PASSPORT.admit("none", guest=True, stake=0, rated=False)
        refused = refusal(PASSPORT.admit, "none", guest=True, stake=10, rated=False)
        assert refused.code == "needs_account"
        assert str(refused) == "Guests cannot play for a stake: register first."
        refused = refusal(PASSPORT.admit, "none", guest=True, stake=0, rated=True)
        assert str(refused) == "Guests cannot play rated games: register first."

    def test_nothing_is_played_for_without_a_clock(self):
        for room in DEFAULT_ROOMS.values():
            room.admit("premium", False, 0, False, TimeControl())
            for stake, rated in [(room.stakes[1], False), (0, True), (room.stakes[-1], True)]:
                refused = refusal(room.admit, "premium", False, stake, rated, TimeControl())
                assert refused.code == "bad_clock"
                room.admit("premium", False, stake, rated, TimeControl.parse("14 days a move"))

    def test_only_the_stakes_on_offer(self):
        refused = refusal(PASSPORT.admit, "none", guest=False, stake=30, rated=False)
        assert refused.code == "no_such_stake"
        assert str(refused) == ("Passport has no stake of 30 chips: there are 0, 10, 25, 50, 100.")
        assert refusal(PASSPORT.terms, -10).code == "no_such_stake"
        assert refusal(PASSPORT.table, 1).code == "no_such_stake"

    def test_rooms_by_name(self):
        assert room_of(DEFAULT_ROOMS, "tourist") is TOURIST
        refused = refusal(room_of, DEFAULT_ROOMS, "moon")
        assert refused.code == "no_such_room"
        assert str(refused) == "There is no room 'moon': there are Passport, Tourist, Priority."

    def test_draw_rules_are_the_players_choice_or_the_rooms(self):
        assert [PASSPORT.rules(name) for name in PRESETS] == list(PRESETS)
        assert refusal(PASSPORT.rules, "chess").code == "no_such_preset"
        (strict,) = rooms_from([{"name": "club", "preset": "tournament"}]).values()
        assert strict.rules("tournament") == "tournament"
        refused = refusal(strict.rules, "standard")
        assert str(refused) == "Club is played by the draw rules Tournament (WCDF)."


class TestTerms:
    def test_terms_do_not_change_with_the_room(self):
        terms = PASSPORT.terms(50)
        terms.chips["win"] = 1
        assert PASSPORT.terms(50).chips["win"] == PASSPORT.chips["win"] == 100

    def test_what_is_not_named_brings_nothing(self):
        assert {Terms(stake=50).brings(ending) for ending in ENDINGS} == {(0, 0)}

    def test_terms_cross_the_wire(self):
        terms = TOURIST.terms(200)
        assert msgspec.json.decode(msgspec.json.encode(terms), type=Terms) == terms

    @given(st.integers(0, 1_000_000), st.integers(-100, 100))
    def test_parts_of_a_chip_are_rounded_down_and_the_stake_is_the_most_to_lose(
        self, stake, percent
    ):
        chips, _ = Terms(stake=stake, chips={"loss": percent}).brings("loss")
        assert -stake <= chips <= stake
        assert 0 <= stake * percent - 100 * chips < 100


class TestConfiguration:
    def test_a_whole_room(self):
        (room,) = rooms_from(
            tomllib.loads("""
            [[room]]
            name = "club"
            title = "The club"
            summary = "Thursdays."
            membership = "vip"
            stakes = [20, 0, 5]
            preset = "tournament"
            [room.chips]
            win = 80
            draw = -5
            loss = -90
            resignation = -80
            desertion = -100
            [room.points]
            win = 3
            draw = 1
            loss = 0
            resignation = 0
            desertion = 0
            """)["room"]
        ).values()
        assert room == Room(
            name="club",
            title="The club",
            summary="Thursdays.",
            membership="vip",
            stakes=(0, 5, 20),
            chips={"win": 80, "draw": -5, "loss": -90, "resignation": -80, "desertion": -100},
            points={"win": 3, "draw": 1, "loss": 0, "resignation": 0, "desertion": 0},
            preset="tournament",
        )
        assert [line.chips for line in room.table(5)] == [4, -1, -5, -4, -5]

    def test_a_table_changes_only_what_it_names(self):
        (tourist,) = rooms_from([{"name": "tourist", "points": {"win": 30}}]).values()
        assert tourist == msgspec.structs.replace(TOURIST, points={**TOURIST.points, "win": 30})
        (other,) = rooms_from([{"name": "harbour"}]).values()
        assert (other.title, other.summary, other.membership) == ("Harbour", "", "none")
        assert other.chips == PASSPORT.chips

    def test_the_tables_given_are_all_the_rooms_in_their_order(self):
        assert list(rooms_from([{"name": "priority"}, {"name": "club"}])) == ["priority", "club"]

    def test_what_was_configured_can_be_written_and_read_again(self):
        tables = [msgspec.to_builtins(room) for room in DEFAULT_ROOMS.values()]
        assert rooms_from(tables) == DEFAULT_ROOMS

    @pytest.mark.parametrize(
        ("toml", "message"),
        [
            (
                "room = [3]",
                "room number 1: 3 is not a table such as [[room]] begins",
            ),
            (
                "[[room]]",
                'room number 1 has no name: begin it with name = "passport"',
            ),
            (
                '[[room]]\nname = "a"\n[[room]]\nname = "My Room"',
                "room number 2, name: 'My Room' is not a name of lower-case letters a-z and digits",
            ),
            (
                f'[[room]]\nname = "{"a" * 33}"',
                f"room number 1, name: '{'a' * 33}' is not a name of at most 32 characters",
            ),
            (
                '[[room]]\nname = "a"\n[[room]]\nname = "a"',
                "room 'a': there are two rooms of this name",
            ),
            (
                '[[room]]\nname = "a"\nstake = [1]',
                "room 'a': there is no field 'stake': "
                "name, title, summary, membership, stakes, chips, points, preset",
            ),
            (
                '[[room]]\nname = "a"\ntitle = "x\\ny"',
                "room 'a', title: 'x\\ny' is not a text on one line of at most 40 characters",
            ),
            (
                '[[room]]\nname = "a"\nsummary = 3',
                "room 'a', summary: 3 is not a text on one line of at most 200 characters",
            ),
            (
                '[[room]]\nname = "a"\nmembership = "VIP"',
                "room 'a', membership: 'VIP' is not one of none, vip, premium",
            ),
            (
                '[[room]]\nname = "a"\npreset = ["standard"]',
                "room 'a', preset: ['standard'] is not one of "
                "standard, tournament, agreement, captures50",
            ),
            (
                '[[room]]\nname = "a"\nstakes = 10',
                "room 'a', stakes: 10 is not a list of stakes in chips such as [0, 10, 25]",
            ),
            (
                '[[room]]\nname = "a"\nstakes = []',
                "room 'a', stakes: [] is not a list of stakes in chips such as [0, 10, 25]",
            ),
            (
                '[[room]]\nname = "a"\nstakes = [0, 2.5]',
                "room 'a', stakes: 2.5 is not a whole number from 0 to 1000000",
            ),
            (
                '[[room]]\nname = "a"\nstakes = [-10]',
                "room 'a', stakes: -10 is not a whole number from 0 to 1000000",
            ),
            (
                '[[room]]\nname = "a"\nstakes = [true]',
                "room 'a', stakes: True is not a whole number from 0 to 1000000",
            ),
            (
                '[[room]]\nname = "a"\nchips = 3',
                "room 'a', chips: 3 is not a table such as [room.chips] begins",
            ),
            (
                '[[room]]\nname = "a"\nchips = {victory = 3}',
                "room 'a', chips: 'victory' is not one of win, draw, loss, resignation, desertion",
            ),
            (
                '[[room]]\nname = "a"\nchips = {loss = -101}',
                "room 'a', chips.loss: -101 is not a whole number from -100 to 100",
            ),
            (
                '[[room]]\nname = "a"\npoints = {loss = -1}',
                "room 'a', points.loss: -1 is not a whole number from 0 to 10000",
            ),
            (
                '[[room]]\nname = "a"\nchips = {win = 100, desertion = -50}',
                "room 'a', chips: win 100 and desertion -50 together bring the players more than "
                "they staked: the sum is 0 at most",
            ),
            (
                '[[room]]\nname = "a"\nchips = {draw = 1}',
                "room 'a', chips: draw 1 and draw 1 together bring the players more than "
                "they staked: the sum is 0 at most",
            ),
        ],
    )
    def test_an_operator_is_told_which_room_which_field_and_what_is_allowed(self, toml, message):
        assert fault(toml) == message
