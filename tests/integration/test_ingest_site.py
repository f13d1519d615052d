"""Sites of the web against a real server: what is followed, what is refused, what a second run takes."""

import gzip
import io
import json
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import docx
import pytest
from fixtures.drawn_pdf import lines
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.killed_walk import Step, run_victim
from loopback.web_server import Asked, Said, WebServer, gzipped, picture, plain, redirect
from PIL import Image
from reportlab.pdfgen.canvas import Canvas
from typer.testing import CliRunner

from backtrail.cli.app import app
from backtrail.ingest.pipeline import ingest
from backtrail.ingest.report import IngestReport
from backtrail.ingest.web.bounds import CrawlBounds
from backtrail.ingest.web.crawl_sites import crawled_sites
from backtrail.ingest.web.errors import NoSuchSite
from backtrail.ingest.web.report import SiteReport
from backtrail.tools.corpus.manage import check
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.corpus.writing.progress import Silent
from backtrail.tools.web.crawling import polite_client

QUICK = CrawlBounds(rate=1000, timeout=5)


@pytest.fixture(autouse=True)
def this_machine_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_FETCH_LOOPBACK", "yes")


@pytest.fixture
def web() -> Iterator[WebServer]:
    with WebServer() as server:
        yield server


def html(body: str, *, head: str = "", **headers: str) -> Said:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Said(f"<html><head><title>Pumps</title>{head}</head><body>{body}</body></html>".encode(), headers=names)


def links(*hrefs: str) -> str:
    return "".join(f"<p>About {href} <a href='{href}'>more on {href}</a></p>" for href in hrefs)


def walked(start: str, bounds: CrawlBounds = QUICK) -> tuple[SiteReport, dict[str, str]]:
    """The report of a walk, and the contents of the files that it holds by the paths of their addresses."""
    with crawled_sites([start], "site", bounds, Silent()) as ((mirror,), (report,)):
        held = {one.url.partition("//")[2].partition("/")[2]: mirror.path(one) for one in mirror.ledger.held()}
        return report, {path: file.read_bytes().decode("utf-8", "replace") for path, file in held.items()}


def ingested(*starts: str, bounds: CrawlBounds = QUICK) -> IngestReport:
    with crawled_sites(starts, "site", bounds, Silent()) as (mirrors, walks):
        report = ingest([], "site", embedder="hashed", opened=HashedEmbedder(), sites=mirrors)
    report.sites = walks
    assert check("site") == []
    return report


def shop(web: WebServer) -> str:
    """A small site below /docs/, with a picture and documents beside it; its start."""
    paper = docx.Document()
    paper.add_paragraph("The valve closes at nine bar.")
    stream = io.BytesIO()
    paper.save(stream)
    sheet = io.BytesIO()
    canvas = Canvas(sheet)
    lines(canvas, 72, 700, "The seal is made of rubber.")
    canvas.save()
    office = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    shown = "<figure><img src='/img/pump.png'><figcaption>A pump</figcaption></figure>"
    web.say("/docs/", html(links("valves", "seals.html#rubber", "/blog", "/files/v.docx", "/files/s.pdf") + shown))
    web.say("/docs/valves", html("<p>A valve stops water. <a href='.'>Home</a></p>"))
    web.say("/docs/seals.html", html("<h2 id='rubber'>Rubber</h2><p>Seals are soft.</p>"))
    web.say("/blog", html("<p>News.</p>"))
    web.say("/files/v.docx", Said(stream.getvalue(), kind=office))
    web.say("/files/s.pdf", Said(sheet.getvalue(), kind="application/pdf"))
    web.say("/img/pump.png", picture(Image.new("RGB", (40, 40), "red")))
    return f"{web.url}/docs/"


def test_pages_below_the_start_come_with_their_documents_pictures_and_links(web: WebServer) -> None:
    report = ingested(shop(web))
    here = f"127.0.0.1_{web.port}"
    ids = [f"{here}/{name}" for name in ("docs/index.html", "docs/valves.html", "docs/seals.html", "files/v.docx",
                                         "files/s.pdf")]  # fmt: skip
    corpus = open_corpus("site", embedder=HashedEmbedder())
    found = corpus.documents(ids)
    assert {document.url for document in found.values()} == {
        f"{web.url}{path}" for path in ("/docs/", "/docs/valves", "/docs/seals.html", "/files/v.docx", "/files/s.pdf")
    }
    assert (report.added, report.failed, report.pictures) == (5, [], 1)
    (site,) = report.sites
    assert (site.read, site.pictures, site.dead_links, site.refused) == (5, 1, {}, {})
    parts = corpus.components(list(corpus.children(ids)[ids[0]]))
    led = {link.anchor: (link.target, link.component, link.kind) for part in parts.values() for link in part.links}
    assert led["more on valves"] == (ids[1], None, "internal")
    assert led["more on seals.html#rubber"][0] == ids[2]
    assert led["more on seals.html#rubber"][1] is not None
    assert led["more on /blog"] == (f"{web.url}/blog", None, "external")
    assert led["more on /files/v.docx"] == (ids[3], None, "internal")
    assert not web.asked("/blog")


def test_what_robots_may_not_read_is_not_asked_for(web: WebServer) -> None:
    web.say("/robots.txt", plain("User-agent: *\nDisallow: /*.php$\nDisallow: /in\nAllow: /in/out\n"))
    web.say(
        "/", html(links("/a.php", "/in/x", "/in/out", "/hidden", "/header", "/other") + "<a rel=nofollow href=/n>n</a>")
    )
    web.say("/in/out", html("<p>Allowed.</p>"))
    web.say("/hidden", html("<p>No.</p>" + links("/behind"), head="<meta name=robots content='NoIndex'>"))
    web.say("/behind", html("<p>Behind.</p>" + links("/far"), head="<meta name='backtrail' content='nofollow'>"))
    web.say("/header", html("<p>No.</p>", X_Robots_Tag="googlebot: nofollow, backtrail: noindex"))
    web.say("/other", html("<p>Yes.</p>", X_Robots_Tag="googlebot: noindex"))
    report, held = walked(f"{web.url}/")
    assert set(held) == {"", "in/out", "behind", "other"}
    assert report.refused == {"robots.txt": 2, "noindex": 2}
    assert not any(web.asked(path) for path in ("/a.php", "/in/x", "/n", "/far"))


class FakeClock:
    """Time that passes only when somebody sleeps; stands for ``time`` and ``asyncio`` of one module."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_the_delay_that_a_site_asks_for_is_kept(web: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = FakeClock()
    monkeypatch.setattr(polite_client, "time", clock)
    monkeypatch.setattr(polite_client, "asyncio", clock)
    web.say("/robots.txt", plain("User-agent: *\nCrawl-delay: 0.2\n"))
    web.say("/", html(links("/a", "/b")))
    web.say("/a", html("<p>A.</p>"))
    web.say("/b", html("<p>B.</p>"))
    walked(f"{web.url}/")
    pages = sum(web.asked(path) for path in ("/", "/a", "/b", "/sitemap.xml"))
    assert clock.now == pytest.approx(0.2 * (pages - 1))


def site_map(*urls: str, kind: str = "url") -> bytes:
    whole = "urlset" if kind == "url" else "sitemapindex"
    entries = "".join(f"<{kind}><loc>{url}</loc></{kind}>" for url in urls)
    return f"<?xml version='1.0'?><{whole} xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{entries}</{whole}>".encode()


def test_pages_that_only_site_maps_name_are_found(web: WebServer) -> None:
    web.say("/robots.txt", plain(f"Sitemap: {web.url}/maps.xml\nSitemap: https://elsewhere.example/s.xml\n"))
    web.say("/maps.xml", Said(site_map(f"{web.url}/m.xml.gz", kind="sitemap"), kind="application/xml"))
    packed = gzip.compress(site_map(f"{web.url}/docs/lonely", f"{web.url}/blog", "https://elsewhere.example/x"))
    web.say("/m.xml.gz", Said(packed, kind="application/gzip"))
    web.say("/docs/", html("<p>Start.</p>"))
    web.say("/docs/lonely", html("<p>Nobody links here.</p>"))
    report, held = walked(f"{web.url}/docs/")
    assert set(held) == {"docs/", "docs/lonely"}
    assert any("another site" in problem for problem in report.problems)


def test_a_second_run_takes_only_what_changed_and_deletes_what_vanished(web: WebServer) -> None:
    start = shop(web)
    web.say("/docs/valves", html("<p>A valve.</p>", ETag='"1"'))
    dated = html("<h2 id='rubber'>Rubber</h2><p>Seals are soft.</p>", Last_Modified="Mon, 01 Jan 2024 00:00:00 GMT")
    web.say("/docs/seals.html", dated)
    ingested(start)
    web.received.clear()
    report = ingested(start)
    assert (report.unchanged, report.anything_new, report.embedded) == (5, False, 0)
    assert (report.sites[0].read, report.sites[0].unchanged) == (0, 5)
    assert web.requests("/docs/valves")[0].headers["if-none-match"] == '"1"'
    assert web.requests("/docs/seals.html")[0].headers["if-modified-since"].startswith("Mon, 01 Jan 2024")
    web.say("/docs/valves", html("<p>A valve opens.</p>", ETag='"2"'))
    web.say("/docs/seals.html", Said(b"gone", 410))
    web.say("/files/v.docx", Said(b"", 503, headers={"Retry-After": "0"}))
    report = ingested(start)
    assert (report.changed, report.deleted, report.unchanged) == (2, 1, 2)  # the start: its link is dead now
    (site,) = report.sites
    assert (site.read, site.removed, site.dead_links) == (1, 1, {"HTTP 503": 1})
    held = open_corpus("site", embedder=HashedEmbedder()).documents([f"127.0.0.1_{web.port}/files/v.docx"])
    assert held, "a server in trouble loses nothing"


def test_a_page_that_nobody_links_any_longer_stays_while_it_is_there(web: WebServer) -> None:
    web.say("/", html(links("/a")), html(links("/a")), html("<p>Nothing.</p>"))
    web.say("/a", html("<p>A.</p><img src='/p.png' alt='p'>"), html("<p>A.</p>"))
    web.say("/p.png", picture(Image.new("RGB", (40, 40), "blue")))
    assert set(walked(f"{web.url}/")[1]) == {"", "a", "p.png"}
    assert set(walked(f"{web.url}/")[1]) == {"", "a"}, "no page shows the picture"


def test_one_page_has_one_address(web: WebServer) -> None:
    same = ["/a?utm_source=x", "/a#part", "/a;jsessionid=1F", "/./a", "/%61", "/old", "/print?a=1", "/copy"]
    web.say("/", html(links(*same, "/start")))
    web.say("/a", html("<p>The page itself and much more text than the other.</p>"))
    web.say("/old", redirect("/a"))
    web.say("/print", html("<p>The page itself.</p>", head=f"<link rel=canonical href='{web.url}/a'>"))
    web.say("/copy", html("<p>The page itself and much more text than the other.</p>"))
    web.say("/start", html("<p>Something else entirely.</p>", head=f"<link rel=canonical href='{web.url}/'>"))
    report, held = walked(f"{web.url}/")
    assert set(held) == {"", "a", "start"}, "a site that calls its start page the address of all keeps its pages"
    assert (report.alias_addresses, web.asked("/a")) == (3, 1)
    ingested(f"{web.url}/")
    corpus = open_corpus("site", embedder=HashedEmbedder())
    start = f"127.0.0.1_{web.port}/index.html"
    parts = corpus.components(corpus.children([start])[start])
    assert {link.target for part in parts.values() for link in part.links} == {
        f"127.0.0.1_{web.port}/{name}.html" for name in ("a", "start")
    }


@pytest.mark.parametrize("elsewhere", ["http://10.0.0.7/", "http://169.254.169.254/latest/", "https://other.example/"])
def test_redirects_lead_to_no_other_site(web: WebServer, elsewhere: str) -> None:
    web.say("/", html(links("/away", "/round")))
    web.say("/away", redirect(elsewhere))
    web.say("/round", redirect("/round2"))
    web.say("/round2", redirect("/round"))
    report, held = walked(f"{web.url}/")
    assert set(held) == {""}
    assert report.refused == {"redirects out of the bounds": 1}
    assert report.dead_links == {"redirects without end": 1}


def test_no_page_is_asked_for_where_the_rules_cannot_be_read_or_the_owner_does_not_allow_this_machine(
    web: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    web.say("/robots.txt", Said(status=503, headers={"Retry-After": "0"}))
    with pytest.raises(NoSuchSite, match=r"robots\.txt cannot be read"):
        walked(f"{web.url}/")
    assert not web.asked("/")
    web.received.clear()
    monkeypatch.delenv("BACKTRAIL_FETCH_LOOPBACK")
    with pytest.raises(NoSuchSite, match="this machine"):
        walked(f"{web.url}/")
    assert not web.received


def test_a_start_that_is_not_there_deletes_nothing(web: WebServer) -> None:
    web.say("/", html("<p>Here.</p>"))
    ingested(f"{web.url}/")
    web.say("/", Said(b"", 404))
    with pytest.raises(NoSuchSite, match="HTTP 404"):
        ingested(f"{web.url}/")
    assert open_corpus("site", embedder=HashedEmbedder()).documents([f"127.0.0.1_{web.port}/index.html"])
    web.say("/", redirect("https://other.example/"))
    with pytest.raises(NoSuchSite, match=r"another site, https://other\.example/"):
        ingested(f"{web.url}/")


def endless(asked: Asked) -> Said:
    """Links that never end: a month after the other, a folder in a folder, a redirect to the next."""
    number = int(asked.query.get("n", asked.path.rpartition("/")[2] or 0))
    if asked.path.startswith("/jump/"):
        return redirect(f"/jump/{number + 1}")
    if asked.path.startswith("/deep/"):
        return html(f"<p>Deep {number}. <a href='/deep/{number + 1}'>more</a></p>")
    if asked.path.startswith("/in/"):
        return html(f"<p>In {len(asked.path)}. <a href='in/{number}'>more</a></p>")
    return html(f"<p>Month {number}. {links(*(f'/month?n={number * 10 + one}' for one in range(9)))}</p>")


def test_traps_end(web: WebServer) -> None:
    web.say("/", html(links("/month?n=1", "/jump/1", "/deep/1", "/in/1")))
    for prefix in ("/month", "/jump/", "/deep/", "/in/"):
        web.say_below(prefix, endless)
    report, _ = walked(f"{web.url}/", replace(QUICK, depth=8, queries=20))
    assert set(report.outside_bounds) == {
        "addresses that differ in their query only", "depth", "path that repeats itself"
    }  # fmt: skip
    assert web.asked("/month") == 20
    assert sum(asked.path.startswith("/deep/") for asked in web.received) == 8
    assert sum(asked.path.startswith("/jump/") for asked in web.received) == 8


def test_bounds_end_a_walk_and_are_told(web: WebServer) -> None:
    web.say("/", html(links(*(f"/p/{n}" for n in range(40)))))
    web.say_below("/p/", lambda asked: html(f"<p>Page {asked.path} {'x' * 100_000}</p>"))
    report, held = walked(f"{web.url}/", replace(QUICK, pages=10))
    assert (report.read, len(held), report.outside_bounds) == (10, 10, {"pages": 31})
    report, held = walked(f"{web.url}/", replace(QUICK, megabytes=1.0))
    assert 18 <= len(held) <= 22, "what is held already is not fetched"
    assert report.outside_bounds == {"megabytes": 41 - len(held)}
    walked(f"{web.url}/", replace(QUICK, megabytes=1.0))
    assert len(walked(f"{web.url}/")[1]) == 41


def test_dead_links_without_end_are_not_asked_for_without_end(web: WebServer) -> None:
    web.say("/", html(links(*(f"/gone/{n}" for n in range(300)))))
    report, _ = walked(f"{web.url}/", replace(QUICK, pages=5))
    assert report.outside_bounds == {"answers": 301 - 150}


def test_bodies_are_bounded_in_bytes_and_time(web: WebServer) -> None:
    bomb = gzipped(Said(b"<p>a</p>" * 2_000_000))
    web.say("/", html(links("/huge", "/bomb", "/slow", "/cut", "/endless", "/film", "/feed", "/odd.pdf", "/empty")))
    web.say("/huge", Said(b"x" * 300_000))
    web.say("/bomb", bomb)
    web.say("/slow", Said(b"<p>slow</p>" * 100, drip=0.2))
    web.say("/cut", replace(bomb, body=bomb.body[:100], headers={"Content-Encoding": "gzip"}))
    web.say("/endless", Said(b"<p>more</p>" * 1000, endless=True))
    web.say("/film", Said(b"0000", kind="video/mp4"))
    web.say("/feed", Said(b"<rss/>", kind="application/rss+xml"))
    web.say("/odd.pdf", html("<p>Please log in.</p>"))
    web.say("/empty", Said(b"  \n"))
    report, held = walked(f"{web.url}/", replace(QUICK, page_bytes=200_000, timeout=1))
    assert set(held) == {"", "odd.pdf"}
    assert report.refused == {"too large": 3, "video/mp4": 1, "application/rss+xml": 1, "no contents": 1}
    assert report.dead_links == {"no answer in time": 1, "broke off": 1}
    assert max(map(len, held.values())) < 200_000


def test_the_command_says_what_was_read_and_what_not(web: WebServer) -> None:
    start = shop(web)
    web.say("/docs/valves", Said(b"", 404))
    web.say("/files/s.pdf", Said(b"", 404))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_CORPUS", "site")
        result = CliRunner().invoke(app, ["ingest", start, "--rate", "500"])
        assert result.exit_code == 0, result.output
        assert "3 pages read, 0 unchanged" in result.stdout
        assert "dead: HTTP 404: 2" in result.stdout
        again = CliRunner().invoke(app, ["ingest", start, "--rate", "500", "--json"])
        (site,) = json.loads(again.stdout)["sites"]
        assert (site["read"], site["unchanged"], site["dead_links"]) == (0, 3, {"HTTP 404": 2})
        assert CliRunner().invoke(app, ["ingest", str(Path.cwd()), "--rate", "5"]).exit_code == 2
        assert CliRunner().invoke(app, ["ingest", "https://nobody.invalid/"]).exit_code == 2


def test_two_paths_of_a_site_and_a_folder_make_one_corpus(web: WebServer, tmp_path: Path) -> None:
    start = shop(web)
    web.say("/blog/", html("<p>News about <a href='/docs/valves'>valves</a>.</p>"))
    (tmp_path / "notes.txt").write_text("The pumps are low.")
    ingested(start)
    report = ingested(f"{web.url}/blog/")
    assert (report.added, report.unchanged, report.deleted) == (1, 5, 0)
    blog = f"127.0.0.1_{web.port}/blog/index.html"
    corpus = open_corpus("site", embedder=HashedEmbedder())
    (link,) = corpus.links(corpus.children([blog])[blog]).popitem()[1]
    assert link.target.endswith("docs/valves.html")
    with crawled_sites([start], "site", QUICK, Silent()) as (mirrors, _):
        mixed = ingest([tmp_path / "notes.txt"], "site", embedder="hashed", opened=HashedEmbedder(), sites=mirrors)
    assert (mixed.added, mixed.unchanged, mixed.deleted) == (1, 6, 0)


@pytest.mark.parametrize("at", [pytest.param(1, marks=pytest.mark.long), 4])
@pytest.mark.parametrize("step", ["write", "written", "record", "refer"])
def test_a_walk_that_is_killed_goes_on_where_it_was(web: WebServer, home: Path, step: Step, at: int) -> None:
    web.say("/", html(links(*(f"/p/{n}" for n in range(4)))))
    web.say_below("/p/", lambda asked: html(f"<p>{asked.path}</p>" + links(f"{asked.path[:3]}{asked.path[3:]}0"[:6])))
    assert run_victim(f"{web.url}/", step, at, str(home)) == -signal.SIGKILL
    before = len(web.received)
    report, held = walked(f"{web.url}/")
    assert report.resumed
    assert set(held) == {""} | {f"p/{n}{zeros}" for n in range(4) for zeros in ("", "0", "00")}
    assert (report.read, report.unchanged) == (13, 0)
    again = [one.path for one in web.received[before:] if one.path.startswith("/p/")]
    finished = [one.path for one in web.received[:before] if one.path.startswith("/p/")][: at - 2]
    assert not set(again) & set(finished[:-1]), "what was kept is not asked for again"
    assert not walked(f"{web.url}/")[0].resumed


def test_time_that_is_up_ends_a_walk_which_the_next_goes_on_with(web: WebServer) -> None:
    web.say("/", html(links(*(f"/p/{n}" for n in range(20)))))
    web.say_below("/p/", lambda asked: html(f"<p>{asked.path}</p>"))
    report, held = walked(f"{web.url}/", replace(QUICK, rate=20, seconds=0.6))
    assert report.stopped == "seconds"
    assert 0 < len(held) < 21
    assert len(walked(f"{web.url}/")[1]) == 21
    assert max(web.asked(f"/p/{n}") for n in range(20)) == 1
