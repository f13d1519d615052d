"""The real clients of SerpApi, Serper and the Jina reader over loopback, from a query to what can be read."""

import asyncio
import json
import logging
import re
import sys
from collections.abc import Iterator

import pytest
from blockbuster import blockbuster_ctx
from fixtures.web_search import KEY, ask_with, no_corpus, scene, searches, variables
from loopback.web_server import (
    Said,
    WebServer,
    jina,
    page,
    picture,
    plain,
    redirect,
    serpapi_lens,
    serpapi_pages,
    serpapi_pictures,
    serper,
    spoken,
)
from PIL import Image

from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.errors import SearchError, SearchRejected, SearchUnavailable

DAY = r"\d{4}-\d\d-\d\d"
SERPAPI, SERPER = "/serpapi/search", "/serper/search"
BOTH = pytest.mark.parametrize("provider", ["serpapi", "serper"])
NOTHING = serpapi_pages(error="Google hasn't returned any results for this query.")
LONG = "The Elbe flows through Dresden, Magdeburg and Hamburg to the North Sea. " * 200


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    with WebServer() as server:
        for name, value in variables(server).items():
            monkeypatch.setenv(name, value)
        yield server


def result(web: WebServer, path: str, **more: object) -> dict[str, object]:
    return {"title": f"About {path}", "link": web.url + path, "snippet": f"Snippet of {path}.", **more}


def shown(web: WebServer, number: int) -> dict[str, object]:
    place = {"original": f"{web.url}/{number}.png", "thumbnail": f"{web.url}/small/{number}.png"}
    return {"title": f"Picture {number}", "link": f"{web.url}/page/{number}", "source": "A site", **place}


@BOTH
async def test_pages_are_found_read_cut_and_kept(web: WebServer, provider: str) -> None:
    results = [result(web, "/elbe", date="3 Mar 2021"), result(web, "/rhine")]
    web.say(SERPAPI, serpapi_pages(*results))
    web.say(SERPER, serper("organic", *results))
    web.say("/elbe", page("The Elbe", LONG))
    web.say("/rhine", page("The Rhine", "The Rhine flows through Basel. " * 10))
    with blockbuster_ctx():
        searched = await searches(provider, page_tokens=50).text("rivers of Europe")
    first, second = searched.found
    assert [first.document.title, first.document.url] == ["About /elbe", f"{web.url}/elbe"]
    assert [first.published, first.snippet, first.position] == ["3 Mar 2021", "Snippet of /elbe.", 1]
    assert first.component.text is not None
    assert first.component.text.startswith("The Elbe\nThe Elbe flows through Dresden")
    assert len(first.component.text.split()) < 60
    assert "Log in" not in first.component.text
    assert first.score > second.score
    assert searched.problems == ()
    assert searched.requests == len(web.received) == 4  # the provider, robots.txt, two pages
    assert searched.charge["calls"] == 0
    contents = Toolbox(open_corpus=no_corpus).contents(Settings())
    assert contents.components([first.component.id]) == {first.component.id: first.component}
    assert contents.documents([first.document.id]) == {first.document.id: first.document}


@BOTH
async def test_of_a_long_page_what_bears_on_the_query_is_kept_with_site_and_days(web: WebServer, provider: str) -> None:
    snippet = "The Orvane Bridge … was opened in 1874."
    results = [result(web, "/bridge", date="3 Mar 2021", snippet=snippet)]
    web.say(SERPAPI, serpapi_pages(*results))
    web.say(SERPER, serper("organic", *results))
    many = [
        f"Paragraph {number} tells of the weather, of trade and of the people who came by." for number in range(200)
    ]
    web.say("/bridge", page("Bridges", *many, "The Orvane Bridge, of iron, was opened in 1874.", *many))
    found = (await searches(provider, page_tokens=120).text("When was the Orvane Bridge opened?")).found[0].component
    assert found.text is not None
    assert "The Orvane Bridge, of iron, was opened in 1874." in found.text
    assert found.text.startswith("Bridges\nParagraph 0"), "what room is left goes to the beginning"
    assert "[…]" in found.text
    assert found.text.count("1874") == 1, "the snippet says nothing that the kept text does not"
    assert re.fullmatch(rf"127\.0\.0\.1, published 3 Mar 2021, found {DAY}", found.section)
    first = (
        await searches(provider, page_tokens=120, passages="first").text("When was the Orvane Bridge opened?")
    ).found
    assert first[0].component.text is not None
    assert first[0].component.text.endswith(snippet), "the beginning does not say it, so the snippet stays"
    assert "Paragraph 6" in first[0].component.text


@BOTH
async def test_a_search_that_found_nothing_tells_the_day_and_is_kept(web: WebServer, provider: str) -> None:
    web.say(SERPAPI, NOTHING)
    web.say(SERPER, serper("organic"))
    for _ in range(2):
        searched = await searches(provider).text("a bridge that nobody built")
        assert searched.found == ()
        assert re.fullmatch(rf"The search found nothing on {DAY}\.", searched.nothing)
        assert searched.problems == ()
    assert (await searches(provider).text(" \n ")).problems == ("The query is empty; nothing was searched.",)
    assert len(web.received) == 1


@BOTH
async def test_what_the_engine_answers_by_itself_comes_first_and_is_not_fetched(web: WebServer, provider: str) -> None:
    box = {"title": "Elbe length", "answer": "1,094 km", "snippet": "The Elbe is 1,094 km long."}
    box["link"] = web.url + "/box"
    panel = {"title": "Elbe", "description": "A river.", "attributes": {"Mouth": "North Sea"}}
    panel["descriptionLink"] = web.url + "/elbe"
    beside = {"answer_box": box, "answerBox": box, "knowledge_graph": {"title": "Elbe"}, "knowledgeGraph": panel}
    results = [result(web, "/elbe")]
    for path, said in ((SERPAPI, serpapi_pages(*results)), (SERPER, serper("organic", *results))):
        web.say(path, spoken({**json.loads(said.body), **beside}))
    web.say("/elbe", page("The Elbe", "It flows to the North Sea. " * 10))
    searched = await searches(provider).text("length of the Elbe")
    texts = [one.component.text for one in searched.found]
    assert texts[0] == "1,094 km. The Elbe is 1,094 km long"
    assert searched.found[0].document.url == f"{web.url}/box"
    assert not web.asked("/box")
    assert searched.problems == ()
    if provider == "serper":
        assert texts[1] == "A river. Mouth: North Sea"
    assert len(texts) == (3 if provider == "serper" else 2), "a panel without words or an address is none"
    assert "It flows to the North Sea." in str(texts[-1])


async def test_what_the_services_are_asked(web: WebServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    web.say(SERPAPI, NOTHING)
    web.say(SERPER, serper("organic"))
    assert (await searches("serpapi", pages=7, language="de", country="at").text("Elbe")).found == ()
    assert (await searches("serper", pages=7, language="de", country="at").text("Elbe")).found == ()
    assert "HTTP Request" in caplog.text
    assert KEY not in caplog.text
    by_serpapi, by_serper = web.requests(SERPAPI)[0], web.requests(SERPER)[0]
    assert by_serpapi.query == {
        "engine": "google", "q": "Elbe", "num": "7", "hl": "de", "gl": "at", "output": "json",
        "api_key": KEY,
    }  # fmt: skip
    assert json.loads(by_serper.body) == {"q": "Elbe", "num": 7, "hl": "de", "gl": "at"}
    assert by_serper.headers["x-api-key"] == KEY
    assert by_serper.headers["host"] == f"127.0.0.1:{web.port}"


@BOTH
async def test_a_second_run_asks_nothing(web: WebServer, provider: str) -> None:
    web.say(SERPAPI, serpapi_pages(result(web, "/elbe")))
    web.say(SERPER, serper("organic", result(web, "/elbe")))
    web.say("/elbe", page("The Elbe", LONG))
    first = await searches(provider).text("the Elbe")
    web.received.clear()
    second = await searches(provider).text("the Elbe")
    assert not web.received
    assert second.requests == 0
    assert second.found == first.found
    await searches(provider, language="de").text("the Elbe")
    await searches(provider).text("the other Elbe")
    assert web.asked(SERPAPI) + web.asked(SERPER) == 2
    assert web.asked("/elbe") == 0
    await searches(provider, cache_hours=0).text("the Elbe")
    assert web.asked("/elbe") == 1


SERPAPI_FAILURES: dict[str, tuple[Said, type[SearchError], str, int]] = {
    "key": (spoken({"error": "Invalid API key."}, 401), SearchRejected, "SERPAPI_API_KEY", 1),
    "quota in a 200": (
        spoken({"error": "Your account has run out of searches."}), SearchUnavailable, "no searches left", 1,
    ),
    "other error in a 200": (serpapi_pages(error="Unsupported `hl` parameter."), SearchRejected, "Unsupported", 1),
    "throttled": (spoken({"error": "Slow down."}, 429, Retry_After="0"), SearchUnavailable, "Slow down", 2),
    "proxy": (Said(b"<html>Bad gateway</html>", 502, headers={"Retry-After": "0"}), SearchUnavailable, "HTTP 502", 2),
    "malformed": (Said(b'{"organic_results": [', kind="application/json"), SearchUnavailable, "could not be read", 1),
    "huge": (Said(b" " * 11_000_000, kind="application/json"), SearchUnavailable, "more than", 1),
    "redirected": (redirect("http://10.0.0.1/"), SearchRejected, "HTTP 302", 1),
}  # fmt: skip

SERPER_FAILURES: dict[str, tuple[Said, type[SearchError], str, int]] = {
    "key": (spoken({"message": "Unauthorized.", "statusCode": 403}, 403), SearchRejected, "SERPER_API_KEY", 1),
    "quota in a 200": (spoken({"message": "Not enough credits"}), SearchUnavailable, "Not enough credits", 1),
    "broken": (spoken({}, 503, Retry_After="0"), SearchUnavailable, "HTTP 503", 2),
    "redirected": (redirect("http://10.0.0.1/"), SearchRejected, "HTTP 302", 1),
    "no json": (Said(b"<html>Hello</html>"), SearchUnavailable, "not JSON", 1),
    "huge": (Said(b" " * 11_000_000, kind="application/json"), SearchUnavailable, "more than", 1),
}


@pytest.mark.parametrize(
    ("provider", "path", "case"),
    [("serpapi", SERPAPI, case) for case in SERPAPI_FAILURES] + [("serper", SERPER, case) for case in SERPER_FAILURES],
)
async def test_a_failing_provider_is_a_failure_with_advice_and_is_not_kept(
    web: WebServer, provider: str, path: str, case: str
) -> None:
    said, kind, words, tries = (SERPAPI_FAILURES if provider == "serpapi" else SERPER_FAILURES)[case]
    web.say(path, said)
    with pytest.raises(kind, match=words) as caught:
        await searches(provider).text("the Elbe")
    assert KEY not in str(caught.value)
    assert web.asked(path) == tries
    web.say(path, serpapi_pages(result(web, "/elbe")) if provider == "serpapi" else serper("organic"))
    await searches(provider).text("the Elbe")
    assert web.asked(path) == tries + 1


@pytest.mark.parametrize(
    ("provider", "path", "variable"), [("serpapi", SERPAPI, "SERPAPI_BASE_URL"), ("serper", SERPER, "SERPER_BASE_URL")]
)
async def test_a_slow_or_unreachable_provider_is_given_up_and_names_no_key(
    web: WebServer, monkeypatch: pytest.MonkeyPatch, provider: str, path: str, variable: str
) -> None:
    for slow in (Said(b"{}", delay=30), Said(b" " * 1_000, kind="application/json", drip=0.05), None):
        if slow is None:
            monkeypatch.setenv(variable, "http://127.0.0.1:9")
        else:
            web.say(path, slow)
        with pytest.raises(SearchUnavailable, match="did not answer") as caught:
            await searches(provider, search_timeout=0.3).text("the Elbe")
        assert KEY not in str(caught.value)


async def test_of_pages_that_cannot_be_read_the_snippets_remain(web: WebServer) -> None:
    web.say("/robots.txt", plain("User-agent: *\nDisallow: /forbidden"))
    paths = ["/gone", "/forbidden", "/inner", "/film", "/empty"]
    web.say(SERPAPI, serpapi_pages(*(result(web, path) for path in paths)))
    web.say("/forbidden", page("F", LONG))
    web.say("/inner", redirect("http://192.168.0.1/"))
    web.say("/film", Said(b"x", kind="video/mp4"))
    web.say("/empty", Said(b"<html><body></body></html>"))
    searched = await searches().text("the Elbe")
    assert [one.component.text for one in searched.found] == [f"Snippet of {path}." for path in paths]
    assert web.asked("/forbidden") == 0
    problems = "\n".join(searched.problems)
    for words in ("HTTP 404", "robots.txt forbids", "192.168.0.1", "video/mp4", "no readable text"):
        assert words in problems


async def test_results_without_a_usable_address_or_any_words_are_left_out(web: WebServer) -> None:
    odd = [{"title": "File", "link": "file:///etc/passwd"}, {"title": "None"}, {"link": 7}, "text"]
    bare = {"title": "Bare", "link": f"{web.url}/gone"}
    web.say(SERPER, spoken({"searchParameters": {}, "organic": [*odd, bare, result(web, "/elbe")]}))
    web.say("/elbe", page("\x1b[31mThe Elbe", LONG))
    searched = await searches("serper").text("the Elbe")
    assert [one.document.url for one in searched.found] == [f"{web.url}/elbe"]
    assert "\x1b" not in json.dumps(searched.found[0].component.model_dump(), ensure_ascii=False)
    assert "left out" in searched.problems[0]


@pytest.mark.parametrize("reader", ["own", "jina"])
async def test_loopback_pages_are_refused_by_default_and_told_to_nobody(
    web: WebServer, monkeypatch: pytest.MonkeyPatch, reader: str
) -> None:
    monkeypatch.delenv("BACKTRAIL_FETCH_LOOPBACK")
    web.say(SERPAPI, serpapi_pages(result(web, "/elbe")))
    searched = await searches(reader=reader).text("the Elbe")
    assert searched.found[0].component.text == "Snippet of /elbe."
    assert "this machine itself" in searched.problems[0]
    assert [one.path for one in web.received] == [SERPAPI]


async def test_robots_can_be_left_aside_by_the_operator(web: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_FETCH_ROBOTS", "no")
    web.say("/robots.txt", plain("User-agent: *\nDisallow: /"))
    web.say(SERPAPI, serpapi_pages(result(web, "/elbe")))
    web.say("/elbe", page("The Elbe", LONG))
    assert (await searches().text("the Elbe")).problems == ()
    assert web.asked("/robots.txt") == 0


async def test_the_jina_reader_reads_pages(web: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JINA_API_KEY", "jina-77")
    web.say(SERPAPI, serpapi_pages(result(web, "/elbe")))
    web.say("/jina/", jina("The Elbe", "# The Elbe\n\nIt flows to the *North Sea*.\ud800\x00"))
    with blockbuster_ctx():
        searched = await searches(reader="jina").text("the Elbe")
    assert searched.found[0].component.text == "# The Elbe\n\nIt flows to the *North Sea*.\nSnippet of /elbe."
    asked = web.requests("/jina/")[0]
    assert asked.headers["authorization"] == "Bearer jina-77"
    assert asked.headers["accept"] == "application/json"
    assert f"127.0.0.1%3A{web.port}%2Felbe" in asked.body.decode()
    assert web.asked("/elbe") == 0
    assert searched.requests == 2
    assert (await searches(reader="jina").text("the Elbe")).requests == 0


async def test_a_failing_jina_reader_leaves_the_snippets(web: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JINA_API_KEY", "jina-77")
    web.say(SERPAPI, serpapi_pages(result(web, "/elbe")))
    for said, words, tries in (
        (spoken({"data": None, "code": 401, "message": "Invalid API key jina-77"}, 401), "HTTP 401", 1),
        (spoken({"data": None, "message": "Slow down"}, 429, Retry_After="0"), "HTTP 429", 2),
        (Said(b"not json", kind="text/plain"), "no text", 1),
        (Said(b" " * 200_000, kind="application/json"), "more than 100000 bytes", 1),
    ):
        web.received.clear()
        web.say("/jina/", said)
        searched = await searches(reader="jina", page_bytes=100_000).text("the Elbe")
        assert searched.found[0].component.text == "Snippet of /elbe."
        assert words in searched.problems[0]
        assert "jina-77" not in searched.problems[0]
        assert web.asked("/jina/") == tries


@BOTH
async def test_pictures_are_downloaded_cleaned_and_kept(web: WebServer, provider: str) -> None:
    names = {"original": "imageUrl", "thumbnail": "thumbnailUrl"}
    results = [shown(web, number) for number in range(12)]
    web.say(SERPAPI, serpapi_pictures(*results))
    web.say(
        "/serper/images",
        serper("images", *({names.get(key, key): value for key, value in one.items()} for one in results)),
    )
    web.say("/0.png", picture(scene(0)))
    web.say("/1.png", picture(scene(0).resize((160, 120)), "JPEG", quality=50))  # the same once more
    web.say("/2.png", picture(Image.new("RGB", (300, 300), "white")))
    web.say("/3.png", picture(scene(3, (20, 20))))
    web.say("/4.png", Said(picture(scene(4)).body[:300], kind="image/png"))
    web.say("/5.png", Said(b"<html></html>"))
    web.say("/small/6.png", picture(scene(6, (100, 80))))  # the whole file is gone, the small copy is there
    web.say("/7.png", Said(b"x" * 250_000, kind="image/png"))
    for number in (8, 9, 10, 11):
        web.say(f"/{number}.png", picture(scene(number), "WEBP"))
    with blockbuster_ctx():
        searched = await searches(provider, picture_bytes=200_000, max_images=4).images_for_text("ships")
    assert [one.document.title for one in searched.found] == ["Picture 0", "Picture 6", "Picture 8", "Picture 9"]
    assert [one.position for one in searched.found] == [1, 7, 9, 10]
    contents = Toolbox(open_corpus=no_corpus).contents(Settings())
    for one in searched.found:
        shown_here = one.component.image
        assert shown_here is not None
        assert shown_here.caption == "A site"
        assert shown_here.blob is not None
        assert contents.picture(shown_here.blob)[:4] in (b"\x89PNG", b"\xff\xd8\xff\xe0")
    problems = "\n".join(searched.problems)
    for words in ("1 near-duplicates", "blank", "too few", "as a picture", "text/html", "more than 200000 bytes"):
        assert words in problems
    assert searched.requests == len(web.received)


HOOK = "import sys, pathlib; assert pathlib.Path(sys.argv[1]).read_bytes(); print('{address}')"


async def test_lens_is_given_the_address_that_the_hook_gives(web: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    program = HOOK.format(address="https://pictures.example/q.png")
    monkeypatch.setenv("BACKTRAIL_UPLOAD_COMMAND", f'{sys.executable} -c "{program}"')
    matches = [{**shown(web, 0), "image": {"link": f"{web.url}/0.png"}, "original": None}, shown(web, 1), shown(web, 2)]
    web.say(SERPAPI, serpapi_lens(*matches))
    web.say("/0.png", picture(scene(7), "JPEG", quality=60))  # the question's own picture, found on the web
    web.say("/1.png", picture(scene(1)))
    web.say("/2.png", picture(scene(2)))
    blob = ask_with(scene(7))
    searched = await searches().images_for_picture(blob)
    assert [one.document.title for one in searched.found] == ["Picture 1", "Picture 2"]
    asked = web.requests(SERPAPI)[0].query
    assert (asked["engine"], asked["url"]) == ("google_lens", "https://pictures.example/q.png")
    assert (asked["hl"], asked["country"]) == ("en", "us")
    web.received.clear()
    assert (await searches().images_for_picture(blob)).found == searched.found
    assert not web.received


async def test_serper_searches_by_a_picture_too(web: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    program = HOOK.format(address="https://pictures.example/q.png")
    monkeypatch.setenv("BACKTRAIL_UPLOAD_COMMAND", f'{sys.executable} -c "{program}"')
    found = {"title": "Picture 1", "link": f"{web.url}/page/1", "source": "A site", "imageUrl": f"{web.url}/1.png"}
    web.say("/serper/lens", serper("organic", found))
    web.say("/1.png", picture(scene(1)))
    blob = ask_with(scene(7))
    with blockbuster_ctx():
        searched = await searches("serper").images_for_picture(blob)
    assert [one.document.title for one in searched.found] == ["Picture 1"]
    asked = web.requests("/serper/lens")[0]
    assert json.loads(asked.body) == {"url": "https://pictures.example/q.png", "gl": "us", "hl": "en"}
    assert asked.headers["x-api-key"] == KEY
    web.say("/serper/lens", spoken({"message": "Unauthorized."}, status=403))
    with pytest.raises(SearchRejected, match="HTTP 403"):
        await searches("serper").images_for_picture(ask_with(scene(8)))


async def test_the_hook_may_be_an_address(web: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_UPLOAD_URL", f"{web.url}/upload")
    web.say("/upload", spoken({"url": "https://pictures.example/q.png"}))
    web.say(SERPAPI, serpapi_lens(error="Google Lens hasn't returned any results for this query."))
    searched = await searches().images_for_picture(ask_with(scene(7)))
    assert searched.found == ()
    assert searched.requests == 2
    assert web.requests("/upload")[0].body.startswith(b"\x89PNG")
    assert web.requests(SERPAPI)[0].query["url"] == "https://pictures.example/q.png"


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({}, "BACKTRAIL_UPLOAD_COMMAND"),
        ({"BACKTRAIL_UPLOAD_COMMAND": f"{sys.executable} -c \"import sys; sys.exit('no room')\""}, "no room"),
        ({"BACKTRAIL_UPLOAD_COMMAND": "echo file:///etc/passwd"}, "no usable address"),
        ({"BACKTRAIL_UPLOAD_URL": "{web}/upload"}, "HTTP 404"),
    ],
)
async def test_without_a_public_address_nothing_is_searched(
    web: WebServer, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], words: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value.replace("{web}", web.url))
    with pytest.raises(SearchRejected, match=words):
        await searches().images_for_picture(ask_with(scene(7)))
    assert web.asked(SERPAPI) == 0


async def test_several_searches_at_once_share_the_limit_of_the_provider(
    web: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKTRAIL_SEARCH_CONCURRENCY", "1")
    at_once, most = 0, 0
    answer = web.answer

    def counted(request: object) -> Said:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        web.wait(0.05)
        at_once -= 1
        return answer(request)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(web, "answer", counted)
    web.say(SERPAPI, NOTHING)
    ours = searches()
    await asyncio.gather(*(ours.text(f"river {number}") for number in range(4)), searches().text("other"))
    assert web.asked(SERPAPI) == 5
    assert most == 1
