"""The page and its files: headers, types, caching, and what stands in them."""

from __future__ import annotations

import html
import json
import re

import msgspec
import pytest

from kingme.engine.levels import LEVELS
from kingme.rules.outcome import PRESETS
from kingme.rules.position import Position
from kingme.web.keeping import AT_ONCE, SCRIPTS
from kingme.web.pages import HERE, page_data
from kingme.web.rendering import embedded

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "font-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
FILES = sorted(
    path.relative_to(HERE).as_posix()
    for path in (HERE / "static").rglob("*.*")
    if not path.name.endswith(".d.ts")
)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("HEAD", "/"),
        ("GET", "/healthz"),
        ("GET", "/static/rules.js"),
        ("GET", "/api/engine"),
        ("POST", "/api/reply"),
        ("GET", "/nothing/here"),
    ],
)
def test_every_answer_has_the_security_headers(shared_client, method, path):
    headers = shared_client.request(method, path).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "server" not in headers


def test_so_have_answers_to_failures_and_strangers(opponent, client):
    opponent.failure = ValueError()
    failed = client.post("/api/reply", json={"protocol": 1, "moves": [], "level": 1})
    stranger = client.get("/", headers={"host": "elsewhere.example"})
    assert (failed.status_code, stranger.status_code) == (500, 400)
    for answer in (failed, stranger):
        assert "content-security-policy" in answer.headers


def test_the_page_carries_its_data(shared_client):
    page = shared_client.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-cache"
    [block] = re.findall(
        r'<script type="application/json" id="kingme-data">(.*?)</script>', page.text, re.DOTALL
    )
    data = json.loads(block)
    assert data["protocol"] == 1
    assert data["variant"]["start"] == Position.start().fen
    assert [preset["name"] for preset in data["presets"]] == [*PRESETS]
    assert data["presets"][0]["progressPlies"] == 80
    assert set(data["presets"][0]) == {
        "name", "title", "summary", "repetition", "repetitionReset", "progressPlies", "progress",
        "claimed", "plyCap", "agreement", "endings",
    }  # fmt: skip
    assert [level["number"] for level in data["levels"]] == [level.number for level in LEVELS]


def test_the_page_has_no_inline_script_or_style(shared_client):
    page = shared_client.get("/").text
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", page)
    for attributes, body in re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL):
        assert not body.strip() or re.search(r'type="application/(ld\+)?json"', attributes)
    loaded = re.sub('<link rel="canonical"[^>]+>', "", page)
    assert not re.search(r'(?:src|href)="(?:https?:)?//', loaded)


def test_everything_the_page_names_is_there(shared_client):
    page = shared_client.get("/").text
    named = set(re.findall(r'(?:src|href)="(/[^"#]*)"', page))
    named -= {"/lobby", "/rooms", "/leaders"}  # this server has none
    assert any(name.endswith(".js") for name in named)
    for name in named:
        assert shared_client.get(html.unescape(name)).status_code == 200, name


def test_no_tag_can_begin_in_embedded_data():
    class Text(msgspec.Struct):
        text: str

    hostile = Text("</script><!--<script>&\u2028\u2029'\"")
    block = embedded(hostile)
    assert not re.search("[<>&\u2028\u2029]", block)
    assert msgspec.json.decode(block.encode(), type=Text) == hostile
    assert embedded(page_data()).startswith('{"protocol":1,')


LINKS = [
    ({}, None),
    ({"utm": "1"}, None),
    ({"fen": "w:w k 5:b1."}, {"start": "W:WK5:B1", "side": "W"}),
    ({"fen": "B:W18:B1", "side": "Light"}, {"start": "B:W18:B1", "side": "W"}),
    ({"mode": "two", "level": "8", "preset": "tournament"},
     {"mode": "two", "level": 8, "preset": "tournament"}),
    ({"mode": "three"}, "mode cannot be 'three': it is one of computer, two"),
    ({"level": "9"}, "level cannot be '9': it is one of 1, 2, 3, 4, 5, 6, 7, 8"),
    ({"level": ""}, "level cannot be ''"),
    ({"side": "</script>"}, "side cannot be '</script>': it is one of black, dark"),
    ({"preset": "chess"}, "preset cannot be 'chess': it is one of standard, tournament"),
    ({"fen": ""}, "fen: "),
    ({"fen": "W:W33:B1"}, "fen: '33' is no square"),
    ({"fen": "\x00\ud7ff<!--"}, "fen: "),
]  # fmt: skip


@pytest.mark.parametrize(("query", "told"), LINKS)
def test_the_page_is_told_what_its_address_names(shared_client, query, told):
    page = shared_client.get("/", params=query)
    assert page.status_code == 200
    [block] = re.findall(r'id="kingme-data">(.*?)</script>', page.text, re.DOTALL)
    data = json.loads(block)
    if isinstance(told, str):
        assert "link" not in data
        assert data["linkError"].startswith(told)
    else:
        assert data.get("link") == told
        assert "linkError" not in data


@pytest.mark.parametrize(
    "query", ["%ff%fe", "fen=%ff&level=%00", "&&==&", "fen", "level=1&level=9"]
)
def test_no_address_breaks_the_page(shared_client, query):
    page = shared_client.get(f"/?{query}")
    assert page.status_code == 200
    assert 'id="kingme-data"' in page.text


@pytest.mark.parametrize("name", FILES)
def test_files_have_the_right_type_and_are_revalidated(shared_client, name):
    types = {
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
        "png": "image/png",
        "ico": "image/x-icon",
        "webmanifest": "application/manifest+json",
        "txt": "text/plain; charset=utf-8",
        "wasm": "application/wasm",
    }
    answer = shared_client.get(f"/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == types.get(
        name.rpartition(".")[2], "application/octet-stream"
    )
    assert answer.headers["cache-control"] == "no-cache"
    if name.endswith(".js"):
        assert not re.search(r"^\s*(//|/?\*)", answer.text, re.MULTILINE)
    else:
        assert answer.content == (HERE / name).read_bytes()
    tag = answer.headers["etag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}'):
        again = shared_client.get(f"/{name}", headers={"if-none-match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
    assert shared_client.get(f"/{name}", headers={"if-none-match": '"x"'}).status_code == 200
    head = shared_client.head(f"/{name}")
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", tag)


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".js")])
def test_nothing_stands_in_a_script_that_the_minifier_misreads(name):
    """It takes the inner of two nested template literals for the end of the outer, and a
    regular expression behind an arrow for a division."""
    source = (HERE / name).read_text(encoding="utf-8")
    assert not re.search(r"\$\{[^}]*`", source)
    assert not re.search(r"=>\s*/[^/*]", source)


#: The ways in which a script names another.
LOADS = r"""(?:from |import |import\(|part = |Worker\()"(?:\./|/static/)(\w+\.js)\""""


def scripts_of(*entries: str) -> set[str]:
    """The scripts that a page loads: those it names and all that these import, now or later."""
    found: set[str] = set()
    waiting = [*entries]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        source = (HERE / "static" / name).read_text(encoding="utf-8")
        waiting += re.findall(LOADS, source)
    return found


#: What a page may load, in bytes as they travel, by the scripts that it names.
PAGES = {
    ("theme.js", "page.js"): 15_000,
    ("theme.js", "look.js", "table.js"): 24_000,
    ("theme.js", "look.js", "lobby.js"): 12_000,
    ("theme.js", "look.js", "join.js"): 5_000,
    ("theme.js", "look.js", "account.js"): 3_000,
    ("theme.js", "look.js", "analysis.js"): 28_800,
    ("theme.js", "look.js", "diagram.js"): 10_000,
    ("theme.js", "look.js", "learn.js"): 3_000,
    ("theme.js", "look.js", "lesson.js"): 15_000,
    ("theme.js", "look.js", "away.js"): 3_000,
    ("theme.js", "look.js", "review.js"): 26_000,
    ("theme.js", "look.js", "puzzles.js"): 13_000,
}


@pytest.mark.parametrize("entries", PAGES, ids=lambda names: names[-1])
def test_all_scripts_of_a_page_together_are_small(shared_client, entries):
    """Those that the page loads at once and those that it loads when they are needed."""
    asked = {"accept-encoding": "gzip"}
    scripts = scripts_of(*entries)
    sizes = []
    for name in scripts:
        with shared_client.stream("GET", f"/static/{name}", headers=asked) as answer:
            sizes.append(sum(len(chunk) for chunk in answer.iter_raw()))
    assert sum(sizes) < PAGES[entries]


#: The pages that name their scripts beforehand, and those scripts.
AHEAD = {
    page.name: re.findall(r'"([\w/]+)"', found[1])
    for page in (HERE / "templates").glob("*.html")
    for found in re.finditer(r"for name in (\[[^]]+\]) %}\s+<link rel=.module", page.read_text())
}


@pytest.mark.parametrize("name", AHEAD)
def test_a_page_names_all_that_its_script_imports(name):
    """So that nothing waits for a script to say what else it needs; the frame has look.js."""
    page = (HERE / "templates" / name).read_text(encoding="utf-8")
    waiting = re.findall(r'module" src="(?:{{ scripts }}|/static)/(?!reasons)(\w+)\.js', page)
    found: set[str] = set()
    while waiting:
        source = (HERE / "static" / f"{waiting.pop()}.js").read_text(encoding="utf-8")
        named = set(re.findall(r'^(?:import|} from) .*?"\./([\w/]+)\.js";$', source, re.MULTILINE))
        waiting += [other for other in named - found if "/" not in other]
        found |= named
    assert found - {*AHEAD[name], "look"} == set()


def test_every_script_belongs_to_a_page():
    known = {name for entries in PAGES for name in scripts_of(*entries)}
    known.add("offline.js")  # the service worker, at /sw.js
    assert {path.name for path in (HERE / "static").glob("*.js")} == known


#: What the engine of the page may be, in bytes as they travel: its scripts, those that are there
#: for its databases, which are loaded when few pieces are left, and all of it.
ENGINE_SCRIPTS, ENDGAME_SCRIPTS, ENGINE_WHOLE = 11_000, 9_000, 1_500_000
#: Those scripts.
ENDGAMES = {
    f"{name}.js" for name in ("endings", "known", "packed", "packs", "pages", "slices", "tables")
}


def test_the_engine_of_the_page_is_small(shared_client):
    """Its workers load the rules again; they are counted with the page."""
    names = [path.name for path in (HERE / "static" / "engine").iterdir()]
    sizes = {}
    for name in [*names, "weights.bin", "book.bin"]:
        asked = {"accept-encoding": "gzip"}
        with shared_client.stream("GET", f"/static/engine/{name}", headers=asked) as answer:
            assert answer.status_code == 200
            sizes[name] = sum(len(chunk) for chunk in answer.iter_raw())
    scripts = {name for name in names if name.endswith(".js")}
    assert scripts >= ENDGAMES
    assert sum(sizes[name] for name in ENDGAMES) < ENDGAME_SCRIPTS
    assert sum(sizes[name] for name in scripts - ENDGAMES) < ENGINE_SCRIPTS
    assert sum(sizes.values()) < ENGINE_WHOLE


def test_only_the_engine_of_the_page_compiles_webassembly(shared_client):
    def policy(address: str) -> str:
        return shared_client.get(address).headers["content-security-policy"]

    for name in ("analyst", "endings", "worker"):
        assert "script-src 'self' 'wasm-unsafe-eval';" in policy(f"/static/engine/{name}.js")
    assert "wasm" not in policy("/") + policy("/static/engine/search.js") + policy("/sw.js")


#: What the engine of the page has from the server's package.
SHARED = ("/static/engine/weights.bin", "/static/engine/book.bin")


#: Pages that are kept for when there is no network, by their entries.
KEPT = ("page", "look", "analysis", "away", "diagram", "learn", "lesson", "puzzles", "review")


def test_the_service_worker_names_what_is_kept(shared_client):
    answer = shared_client.get("/sw.js")
    (found,) = re.findall(r"KEPT=(\{.*?\});", answer.text)
    told = json.loads(found)
    for address in [*told["files"], *told["visited"][:4], told["course"][0]]:
        made = shared_client.get(address, headers={"accept": "text/html"})
        assert made.status_code == 200, address
        assert made.headers[told["header"]] == told["name"]
    scripts = scripts_of("theme.js", *(f"{name}.js" for name in KEPT))
    loaded = {f"/static/{name}" for name in scripts}
    engine = {f"/static/engine/{path.name}" for path in (HERE / "static" / "engine").iterdir()}
    assert loaded | engine | {*AT_ONCE, *SHARED} <= set(told["files"])
    named = {name for name in told["files"] if re.fullmatch(r"/static/\w+\.js", name)}
    assert named == loaded, "no script of play between people"
    assert "comment" not in answer.text and told["name"].isalnum()


#: What is kept at the first visit beside what plays and analyses: pages, and what they load.
LITTLE = 75_000


def test_little_is_kept_ahead(shared_client):
    """Compressed, as it travels: of the pages that a player may never look at."""
    own = {
        f"/static/{name}" for name in scripts_of("theme.js", "page.js", "look.js", "analysis.js")
    }
    styles = {f"/static/{name}.css" for name in ("play", "live", "analysis", "explorer")}
    rest = [*AT_ONCE, *(f"/static/{name}.js" for name in SCRIPTS)]
    rest += [f"/static/{path.name}" for path in (HERE / "static").glob("*.css")]
    size = 0
    for address in set(rest) - own - styles - {"/", "/analysis"}:
        asked = {"accept-encoding": "gzip"}
        with shared_client.stream("GET", address, headers=asked) as answer:
            size += sum(len(chunk) for chunk in answer.iter_raw())
    assert size < LITTLE


def test_scripts_are_compressed(shared_client):
    answer = shared_client.get("/static/rules.js", headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    plain = shared_client.get("/static/rules.js", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert answer.text == plain.text


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/static/",
        "/static/nothing.js",
        "/static/rules.js/",
        "/static/types.d.ts",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/%00",
        "/static//etc/passwd",
        "/static/" + "x" * 300,
        "/api",
        "/api/nothing",
    ],
)
def test_unknown_addresses(shared_client, path):
    answer = shared_client.get(path, headers={"accept": "application/json"})
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"
    of_page = not path.startswith(("/static", "/api"))
    for accept in ("", "*/*"):
        plain = shared_client.get(path, headers={"accept": accept})
        assert plain.status_code == 404
        assert plain.headers["content-type"].startswith("text/html") == of_page
    page = shared_client.get(path, headers={"accept": "text/html,*/*;q=0.8"})
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert '<main id="main"' in page.text and page.text.count("<main") == 1
    assert 'href="/">Play the computer</a>' in page.text


def test_a_refusal_leads_back_to_its_section(shared_client):
    for path, link in {
        "/puzzles/zzzzzz": "/puzzles",
        "/learn/nosuch": "/learn",
        "/print/board.pdf?square=9mm&x=%22%3E": "/print?square=9mm&amp;x=%22%3E",
    }.items():
        page = shared_client.get(path, headers={"accept": "text/html"})
        assert page.status_code in (404, 422)
        assert f'<a class="button primary" href="{link}">' in page.text


def test_a_slash_at_the_end_leads_to_the_page(shared_client):
    for path, target in {
        "/learn/": "/learn",
        "/learn/kings/": "/learn/kings",
        "/rules/?a=b": "/rules?a=b",
        "/puzzles/": "/puzzles",
        "/variants/american/rules": "/rules",
        "/variants/english/rules": "/rules",
        "/variants/american": "/",
    }.items():
        answer = shared_client.get(path, follow_redirects=False)
        assert answer.status_code in (301, 307), path
        assert answer.headers["location"].removeprefix("http://testserver") == target
    assert shared_client.get("/nothing/", follow_redirects=False).status_code == 404


@pytest.mark.parametrize(
    "path",
    ["/", "/variants/thai", "/learn", "/learn/kings", "/puzzles", "/print", "/analysis", "/review"],
)
def test_pages_say_their_address_title_and_description(shared_client, path):
    text = shared_client.get(f"{path}?level=1").text
    base = str(shared_client.base_url).rstrip("/")
    assert f'<link rel="canonical" href="{base}{path}">' in text
    assert f'<meta property="og:url" content="{base}{path}">' in text
    told = re.search('<meta name="description" content="([^"]+)">', text)
    assert told and f'<meta property="og:description" content="{told[1]}">' in text
    titled = re.search("<title>(.+?) – kingme</title>", text)
    assert titled and f'<meta property="og:title" content="{titled[1]}">' in text
    record = json.loads(re.findall('<script type="application/ld.json">(.+?)</script>', text)[0])
    assert record["url"] == f"{base}{path}"
    assert record["name"] and record["description"]


@pytest.mark.parametrize("asked", ["bytes=0-3", "bytes=999999999-", "bytes=9-1", "nonsense"])
def test_files_are_sent_whole(shared_client, asked):
    answer = shared_client.get("/static/play.css", headers={"range": asked})
    assert answer.status_code == 200
    assert answer.headers["accept-ranges"] == "none"
    assert answer.content == (HERE / "static" / "play.css").read_bytes()


def test_health(shared_client):
    answer = shared_client.get("/healthz")
    assert (answer.status_code, answer.text) == (200, "ok\n")
