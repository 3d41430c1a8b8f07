"""Players, their games as lists and PDN, leaders, rooms, reports and mutes."""

from __future__ import annotations

import re

import pytest

from kingme.play.clock import TimeControl
from kingme.play.rating import Rating
from kingme.play.stakes import grant
from kingme.rules.outcome import PRESETS
from kingme.web.counting import item_of
from kingme.web.limits import GAMES, MUTES, MUTES_BY_ADDRESS, REPORTS_BY_ADDRESS
from kingme.web.settings import Settings, load

from .town import DAY, town


@pytest.fixture
def place(tmp_path):
    with town(tmp_path) as made:
        yield made


HTML = {"accept": "text/html,*/*;q=0.8"}
JSON = {"accept": "application/json"}


@pytest.fixture
def pair(place):
    """Anna's and Bella's browsers."""
    return place.account("Anna"), place.account("Bella")


def refused(answer, status, code):
    assert answer.status_code == status, answer.text
    problem = answer.json()["error"]
    assert problem["code"] == code, problem
    return problem


class TestProfile:
    def test_what_anybody_sees(self, place, pair):
        place.game("Anna", "Bella", moves=TEN, rated=True)
        profile = place.browser().get("/api/player/ANNA").json()
        assert profile["player"]["name"] == "Anna"
        assert profile["since"] == place.user("Anna").created
        assert profile["points"] == 10
        (rating,) = profile["ratings"]
        assert (rating["speed"], rating["games"], rating["provisional"]) == ("blitz", 1, True)
        assert rating["value"] > 1500
        assert not profile["yours"]
        assert pair[0].get("/api/player/Anna").json()["yours"]

    def test_the_page(self, place, pair):
        place.game("Anna", "Bella", rated=True)
        page = place.browser().get("/player/anna").text
        assert "Anna" in page
        assert '<abbr title="Provisional' in page
        assert ">Won</a>" in page
        assert "Chips" not in page
        own = pair[1].get("/player/Bella").text
        assert "Welcome gift" in own
        assert ">Lost</a>" in own

    @pytest.mark.parametrize("name", ["nobody", "a%00b", "%2e%2e", "x" * 500, "%F0%9F%98%80"])
    @pytest.mark.parametrize("path", ["/player/{}", "/api/player/{}", "/player/{}/games.pdn"])
    def test_nobody_of_that_name(self, place, name, path):
        assert place.browser().get(path.format(name)).status_code == 404

    def test_a_person_is_told_so_on_a_page_of_the_site(self, place, pair):
        answer = pair[0].get("/player/nobody", headers=HTML)
        assert answer.status_code == 404
        assert "There is nobody of that name." in answer.text
        assert '<a id="me" href="/account">Anna</a>' in answer.text
        assert ">Sign in</a>" in place.browser().get("/player/nobody", headers=HTML).text
        problem = refused(place.browser().get("/player/nobody", headers=JSON), 404, "not_found")
        assert problem["message"] == "There is nobody of that name."

    def test_and_of_any_other_refusal(self, place, pair):
        answer = pair[0].get("/leaders", params={"speed": "x"}, headers=HTML)
        assert answer.status_code == 404
        assert "<h1>Nothing here</h1>" in answer.text
        answer = pair[0].get("/player/Anna", params={"before": "x"}, headers=HTML)
        assert answer.status_code == 400
        assert "<h1>That is not possible</h1>" in answer.text
        assert refused(pair[0].post("/api/mute", headers=HTML), 415, "wrong_type")

    def test_a_name_cannot_break_out_of_the_page(self, place):
        browser = place.account("Anna", email='"><script>x</script>@e.fg')
        assert "<script>x" not in browser.get("/account").text


TEN = ["11-15", "22-18", "15x22", "25x18", "8-11", "29-25", "4-8", "25-22", "12-16", "24-20"]


class TestGames:
    def test_newest_first_and_page_by_page(self, place, pair):
        games = [place.game("Anna", "Bella", over=number % 3 > 0) for number in range(60)]
        seen, before = [], None
        while True:
            query = {} if before is None else {"before": before}
            answer = place.browser().get("/api/player/Bella/games", params=query).json()
            seen += [item["id"] for item in answer["games"]]
            before = answer["before"]
            if before is None:
                break
            page = pair[0].get("/player/Bella", params={"before": before}).text
            assert f"/game/{seen[-1]}" not in page
        assert seen == games[::-1]

    def test_how_they_ended(self, place, pair):
        place.game("Anna", "Bella", over=False)
        place.game("Bella", "Anna", stake=10)
        lost, playing = place.browser().get("/api/player/Anna/games").json()["games"]
        assert (lost["result"], lost["text"]) == ("1-0", "Black wins: White resigned")
        assert (lost["stake"], lost["room"], lost["clock"]) == (10, "passport", "5+3")
        assert (playing["result"], playing["playing"]) == ("*", True)

    def test_what_they_brought(self, place, pair):
        place.game("Anna", "Bella", moves=TEN, rated=True, stake=10)
        place.game("Anna", "Bella", over=False)
        playing, lost = place.browser().get("/api/player/Bella/games").json()["games"]
        assert playing["brought"] is None
        black, white = lost["brought"]["black"], lost["brought"]["white"]
        assert (black["chips"], white["chips"]) == (10, -10)
        assert (black["points"], black["rating"]) == (10, 1500)
        assert white["ratingAfter"] < 1500
        page = place.browser().get("/player/Bella").text
        assert f">−{1500 - white['ratingAfter']} rating</small>" in page
        assert ">−10 chips</small>" in page

    def test_private_games_are_for_their_player_alone(self, place, pair):
        game = place.game("Anna", "Bella", private=True)
        for browser in (place.browser(), place.guest(), place.account("Carl")):
            assert browser.get("/api/player/Anna/games").json()["games"] == []
            assert game not in browser.get("/player/Anna").text
            assert browser.get(f"/game/{game}.pdn").status_code == 404
            assert game not in browser.get("/player/Anna/games.pdn").text
        for browser, name in zip(pair, ("Anna", "Bella"), strict=True):
            assert browser.get(f"/api/player/{name}/games").json()["games"][0]["private"]
            assert game in browser.get(f"/player/{name}").text
            assert browser.get(f"/game/{game}.pdn").status_code == 200
            assert game in browser.get(f"/player/{name}/games.pdn").text

    @pytest.mark.parametrize("before", ["x", "-1", "1.5", "9" * 16, "", "²"])
    @pytest.mark.parametrize("path", ["/player/Anna", "/api/player/Anna/games"])
    def test_odd_pages(self, place, pair, path, before):
        assert place.browser().get(path, params={"before": before}).status_code == 400


class TestPdn:
    def test_one_game(self, place, pair):
        game = place.game("Anna", "Bella", rated=True)
        answer = place.browser().get(f"/game/{game}.pdn")
        assert answer.headers["content-disposition"] == f'attachment; filename="{game}.pdn"'
        assert answer.text == (
            '[Event "Rated game, blitz"]\n'
            f'[Site "{place.base}/game/{game}"]\n'
            '[Date "2023.11.14"]\n'
            '[Round "-"]\n'
            '[Black "Anna"]\n'
            '[White "Bella"]\n'
            '[Result "1-0"]\n'
            '[GameType "21"]\n'
            '[UTCTime "22:13:20"]\n'
            '[TimeControl "300+3"]\n'
            '[Termination "Black wins: White resigned."]\n'
            "\n"
            "1. 11-15 22-18 1-0\n"
        )

    def test_a_game_that_goes_on(self, place, pair):
        control = TimeControl("per_move", 30_000)
        game = place.game("Anna", "Bella", over=False, control=control)
        text = place.browser().get(f"/game/{game}.pdn").text
        assert '[TimeControl "1/30"]' in text
        assert text.endswith("1. 11-15 22-18 *\n")

    def test_from_a_position(self, place, pair):
        game = place.game("Anna", "Bella", moves=["1-6"], start="B:WK32:B1")
        text = place.browser().get(f"/game/{game}.pdn").text
        assert '[SetUp "1"]\n[FEN "B:WK32:B1"]\n' in text

    @pytest.mark.parametrize("game", ["none", "a%00b", "%2e%2e", "x" * 200])
    def test_no_such_game(self, place, game):
        assert place.browser().get(f"/game/{game}.pdn").status_code == 404

    def test_all_that_are_over(self, place, pair):
        games = [place.game("Anna", "Bella") for _ in range(120)]
        place.game("Anna", "Bella", over=False)
        answer = place.browser().get("/player/bella/games.pdn")
        assert answer.headers["content-disposition"] == 'attachment; filename="Bella.pdn"'
        assert re.findall(r"/game/(\w+)", answer.text) == games[::-1]
        assert answer.text.count("\n\n") == 2 * len(games) - 1

    def test_none(self, place, pair):
        assert place.browser().get("/player/Anna/games.pdn").text == ""

    def test_downloads_are_limited(self, place, pair):
        codes = [place.browser().get("/player/Anna/games.pdn").status_code for _ in range(21)]
        assert codes == [200] * 20 + [429]

    def test_games_one_by_one_are_limited_too(self, place, pair):
        game = place.game("Anna", "Bella")
        spend(place, GAMES, "127.0.0.1", but=1)
        assert pair[0].get(f"/game/{game}.pdn").status_code == 200
        answer = pair[0].get(f"/game/{game}.pdn")
        refused(answer, 429, "too_many")
        assert 0 < int(answer.headers["retry-after"]) <= 600
        answer = pair[0].get(f"/game/{game}.pdn", headers=HTML)
        assert answer.status_code == 429
        assert "retry-after" in answer.headers
        assert "Too many games at once." in answer.text


def spend(place, limit, key, but):
    """Use up a limit for a key but for so many."""
    hit = place.community.limits.counts.own.hit
    assert all(hit(item_of(limit), key) for _ in range(limit.amount - but))


class TestLedger:
    def test_ones_own_booking_by_booking(self, place, pair):
        place.game("Anna", "Bella", stake=10)
        ledger = pair[1].get("/api/ledger").json()
        assert ledger["chips"] == 140
        assert [line["amount"] for line in ledger["lines"]] == [-10, 150]
        assert [line["balance"] for line in ledger["lines"]] == [140, 150]
        assert ledger["lines"][0]["game"] is not None
        assert ledger["before"] is None

    def test_page_by_page(self, place, pair):
        user = place.user("Anna").id
        for number in range(60):
            place.store.ledger.book(grant(str(number), user, 1, "A gift", place.clock()))
        seen, before = [], None
        while True:
            query = {} if before is None else {"before": before}
            page = pair[0].get("/api/ledger", params=query).json()
            seen += [line["balance"] for line in page["lines"]]
            before = page["before"]
            if before is None:
                break
            assert pair[0].get("/player/Anna", params={"lines": before}).status_code == 200
        assert seen == list(range(210, 149, -1))

    def test_for_oneself_alone(self, place, pair):
        refused(place.browser().get("/api/ledger"), 401, "signed_out")
        assert "Welcome gift" not in pair[0].get("/player/Bella").text


class TestLeaders:
    def test_the_best_whose_rating_is_certain(self, place, pair):
        place.account("Carl")
        for name, value, deviation in (
            ("Anna", 1700, 60),
            ("Bella", 1800, 60),
            ("Carl", 1900, 200),
        ):
            rate(place, name, Rating(value, deviation, 0.06, place.clock(), 40))
        leaders = place.browser().get("/api/leaders/blitz").json()["leaders"]
        assert [(item["rank"], item["player"]["name"], item["rating"]) for item in leaders] == [
            (1, "Bella", 1800),
            (2, "Anna", 1700),
        ]
        page = place.browser().get("/leaders").text
        assert page.index("Bella") < page.index("Anna")
        assert "Carl" not in page

    def test_who_has_not_played_for_long_fades(self, place, pair):
        rate(place, "Anna", Rating(1700, 100, 0.06, place.clock(), 40))
        place.clock.now += 1000 * DAY
        assert place.browser().get("/api/leaders/blitz").json()["leaders"] == []
        assert "1700?" not in place.browser().get("/leaders").text

    def test_every_class_has_its_own(self, place):
        for speed in ("bullet", "blitz", "rapid", "classical", "days"):
            assert place.browser().get(f"/api/leaders/{speed}").json() == {
                "speed": speed,
                "leaders": [],
            }
            assert place.browser().get("/leaders", params={"speed": speed}).status_code == 200
        refused(place.browser().get("/api/leaders/Blitz"), 404, "not_found")
        assert place.browser().get("/leaders", params={"speed": "x"}).status_code == 404


def rate(place, name, rating):
    """Give somebody a rating, as if many games had been played."""
    from sqlalchemy import insert

    from kingme.store.schema import ratings

    row = {
        "user_id": place.user(name).id,
        "speed": "blitz",
        "value": rating.value,
        "deviation": rating.deviation,
        "volatility": rating.volatility,
        "at": rating.at,
        "games": rating.games,
    }
    place.store._database.write(lambda connection: connection.execute(insert(ratings), row))


class TestRooms:
    def tables(self, browser):
        rooms = browser.get("/api/rooms").json()["rooms"]
        return {
            (room["name"], table["stake"]): table["refusal"]
            for room in rooms
            for table in room["tables"]
        }

    def test_all_that_each_stake_brings(self, place):
        rooms = place.browser().get("/api/rooms").json()["rooms"]
        assert [room["name"] for room in rooms] == ["passport", "tourist", "priority"]
        tourist = rooms[1]["tables"][1]
        assert tourist["stake"] == 100
        assert [(line["ending"], line["chips"], line["points"]) for line in tourist["lines"]] == [
            ("win", 95, 15),
            ("draw", 0, 7),
            ("loss", -100, 3),
            ("resignation", -100, 1),
            ("desertion", -100, 0),
        ]
        page = place.browser().get("/rooms").text
        for words in ("Passport", "Tourist", "Priority", "+95", "−100", "+15"):
            assert words in page

    def test_where_one_may_sit_down(self, place, pair):
        visitor, guest = self.tables(place.browser()), self.tables(place.guest())
        assert visitor == guest
        assert guest["passport", 0] is None
        assert guest["passport", 10] == "Guests cannot play for a stake: register first."
        anna = self.tables(pair[0])
        assert anna["passport", 100] is None
        assert anna["tourist", 0] == "Tourist is for VIP members."
        place.store.users.change(
            place.user("Anna").id, membership="vip", member_until=place.clock() + DAY
        )
        anna = self.tables(pair[0])
        assert anna["tourist", 100] is None
        assert anna["tourist", 200] == "You have 150 chips."
        assert anna["priority", 0] == "Priority is for Premium members."
        place.clock.now += DAY
        assert self.tables(pair[0])["tourist", 0] == "Tourist is for VIP members."

    def test_those_of_the_operator(self, tmp_path):
        path = tmp_path / "kingme.toml"
        path.write_text(
            '[[room]]\nname = "club"\ntitle = "<Club>"\nstakes = [3]\npreset = "tournament"'
        )
        with town(tmp_path, Settings(rooms=load(path, {}).rooms)) as place:
            page = place.browser().get("/rooms").text
            assert "&lt;Club&gt;" in page
            assert f"Draw rules: {PRESETS['tournament'].title}." in page
            assert "Passport" not in page


class TestConduct:
    def test_a_report_reaches_the_operator(self, place, pair):
        game = place.game("Anna", "Bella")
        sent = {"name": "bella", "text": " She\0 swears.\n ", "game": game}
        assert pair[0].post("/api/report", json=sent).status_code == 204
        (report,) = place.store.service.reports()
        assert (report["by"], report["about"]) == (place.user("Anna").id, place.user("Bella").id)
        assert (report["game"], report["text"]) == (game, "She swears.")

    def test_reports_that_say_nothing(self, place, pair):
        for sent, status, code in (
            ({"name": "Bella", "text": " \0 "}, 422, "no_text"),
            ({"name": "Anna", "text": "x"}, 422, "yourself"),
            ({"name": "nobody", "text": "x"}, 404, "not_found"),
            ({"name": "Bella", "text": "x", "game": "none"}, 422, "no_game"),
            ({"name": "Bella", "text": "x", "game": "a\0"}, 422, "no_game"),
            ({"name": "Bella", "text": "x" * 1001}, 400, "malformed"),
        ):
            refused(pair[0].post("/api/report", json=sent), status, code)
        refused(
            place.browser().post("/api/report", json={"name": "A", "text": "x"}), 401, "signed_out"
        )
        assert place.store.service.reports() == []

    def test_reports_are_limited(self, place, pair):
        sent = {"name": "Bella", "text": "x"}
        codes = [pair[0].post("/api/report", json=sent).status_code for _ in range(11)]
        assert codes == [204] * 10 + [429]

    def test_reports_from_one_address_are_limited(self, place, pair):
        spend(place, REPORTS_BY_ADDRESS, "127.0.0.1", but=1)
        sent = {"name": "Anna", "text": "x"}
        assert pair[1].post("/api/report", json=sent).status_code == 204
        sent = {"name": "Bella", "text": "x"}
        refused(pair[0].post("/api/report", json=sent), 429, "too_many")

    def test_a_report_does_not_tell_of_private_games(self, place, pair):
        game = place.game("Anna", "Bella", private=True)
        stranger = place.account("Carl")
        of_private, of_none = (
            refused(stranger.post("/api/report", json=sent), 422, "no_game")
            for sent in (
                {"name": "Bella", "text": "x", "game": named} for named in (game, "nothing")
            )
        )
        assert of_private == of_none
        sent = {"name": "Bella", "text": "x", "game": game}
        assert pair[0].post("/api/report", json=sent).status_code == 204
        (report,) = place.store.service.reports()
        assert report["game"] == game

    def test_mutes_are_limited(self, place, pair):
        spend(place, MUTES, str(place.user("Anna").id), but=1)
        codes = []
        for on in (True, False):
            answer = pair[0].post("/api/mute", json={"name": "Bella", "on": on})
            codes.append(answer.status_code)
        assert codes == [200, 429]
        assert int(answer.headers["retry-after"]) > 0
        assert pair[0].get("/api/mute").json() == {"muted": ["Bella"]}
        spend(place, MUTES_BY_ADDRESS, "127.0.0.1", but=1)
        refused(pair[1].post("/api/mute", json={"name": "Anna"}), 429, "too_many")

    def test_mute_and_unmute(self, place, pair):
        answer = pair[0].post("/api/mute", json={"name": "bella"})
        assert answer.json() == {"muted": ["Bella"]}
        assert pair[0].get("/api/mute").json() == {"muted": ["Bella"]}
        assert pair[1].get("/api/mute").json() == {"muted": []}
        assert pair[0].get("/api/player/Bella").json()["muted"]
        assert "Unmute" in pair[0].get("/player/Bella").text
        assert ("renewed", place.user("Anna").id) in place.told
        assert pair[0].post("/api/mute", json={"name": "Bella", "on": False}).json() == {
            "muted": []
        }
        refused(pair[0].post("/api/mute", json={"name": "Anna"}), 422, "yourself")
        refused(place.browser().get("/api/mute"), 401, "signed_out")
