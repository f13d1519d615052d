"""A question is asked in the browser, its trail grows while one looks, and the answer has its sources beside it."""

import re

from fixtures.page_server import PageServer
from playwright.sync_api import Page, expect

BRIDGE = "How many times did the first craft to orbit a comet and put a lander on it pass Earth during its cruise?"
UNANSWERED = "Who was the flight director of the Venera 13 landing?"


def asked(page: Page, question: str) -> None:
    page.goto("/ui")
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/ui/runs/"))


def test_the_trail_grows_while_one_looks_and_after_a_reload(page: Page, server: PageServer) -> None:
    server.decider.closed = True
    asked(page, UNANSWERED)
    status, stations = page.get_by_role("status"), page.locator(".station")
    server.decider.open(8)
    expect(stations.first).to_be_visible(timeout=20_000)
    expect(status).to_contain_text("of at most 10 steps")
    page.reload()  # the page that is made anew shows what had grown, and goes on
    expect(stations.first).to_be_visible()
    before = stations.count()
    stations.first.get_by_text("how and why").click()
    server.decider.open(6)
    expect(stations.nth(before)).to_be_visible(timeout=20_000)
    assert stations.first.locator("details").get_attribute("open") is not None, "what was opened stays open"
    server.decider.closed = False
    server.decider.open(1000)
    answer = page.get_by_label("Answer")
    expect(answer).to_contain_text("No supported answer", timeout=20_000)
    expect(answer).to_contain_text(re.compile(r"Looked at: \d+ pieces of \d+ documents"))
    expect(answer).not_to_contain_text("confidence")
    expect(page.get_by_role("complementary")).to_contain_text("What comes nearest")
    expect(page.locator("[data-live]")).to_have_count(0)
    searched = stations.count() - 1  # the last one is the end, which no budget counts
    expect(page.locator("details.costs")).to_contain_text(f"Cost {searched} of at most 10 steps")
    page.goto("/ui/runs")
    expect(page.locator(".said").first).not_to_contain_text("These quotes")  # there are none below it


def test_a_run_is_stopped_and_gone_on_with(page: Page, server: PageServer) -> None:
    server.decider.closed = True
    asked(page, BRIDGE)
    server.decider.open(3)
    expect(page.locator(".station").first).to_be_visible(timeout=20_000)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Not finished; next:")).to_be_visible()
    server.decider.closed = False
    page.get_by_role("button", name="Go on").click()
    answer = page.get_by_label("Answer")
    expect(answer).to_contain_text("three times", timeout=20_000)


def test_the_answer_is_beside_what_it_rests_on(page: Page) -> None:
    asked(page, BRIDGE)
    answer, sources = page.get_by_label("Answer"), page.get_by_role("complementary", name="Sources")
    expect(answer).to_contain_text("three times", timeout=30_000)
    expect(answer).to_contain_text("read without a model")
    answer.get_by_role("link", name="Source 1").click()
    expect(sources.locator("li:target")).to_contain_text("Rosetta")
    expect(sources.get_by_role("link", name=re.compile("Rosetta")).first).to_be_visible()
    left_of_sources = "sources => sources.getBoundingClientRect().left"
    right_of_answer = "answer => answer.getBoundingClientRect().right"
    assert sources.evaluate(left_of_sources) >= answer.evaluate(right_of_answer), "the sources are beside the answer"
    picture = sources.locator("figure img").first
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("image => image.naturalWidth") > 0
    picture.click()
    large = page.locator("dialog img")
    expect(large).to_be_visible()
    page.keyboard.press("Escape")
    expect(large).to_have_count(0)


def test_a_question_that_cannot_be_asked_is_given_back_with_the_reason(page: Page) -> None:
    page.goto("/ui")
    page.get_by_label("Your question").fill(BRIDGE)
    page.get_by_text("Picture, model and budget").click()
    page.get_by_label("Any other setting").fill("fif.shortlst=3")
    with page.expect_response(lambda answer: answer.url.endswith("/ui/ask")) as refused:
        page.get_by_role("button", name="Ask").click()
    assert refused.value.status == 422
    expect(page.get_by_role("alert")).to_contain_text("Did you mean fif.shortlist")
    assert page.get_by_label("Your question").input_value() == BRIDGE


# --- what a run asks people --------------------------------------------------------------------------
TWO = "When was Rosetta launched and when was Giotto launched?"


def asked_with(page: Page, question: str, setting: str, value: str) -> None:
    page.goto("/ui")
    page.get_by_label("Your question").fill(question)
    page.get_by_text("Picture, model and budget").click()
    page.locator(f"select[name={setting}]").select_option(value)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_url(re.compile("/ui/runs/"))


def test_a_plan_is_edited_before_it_is_carried_out(page: Page, server: PageServer) -> None:
    asked_with(page, TWO, "human_plan", "true")
    asks = page.get_by_label("The run asks")
    expect(asks).to_contain_text("The plan:", timeout=20_000)
    plan = asks.get_by_label("The plan, one part a line")
    assert len(plan.input_value().splitlines()) >= 2
    plan.fill("")
    asks.get_by_role("button", name="Go on with this plan").click()
    expect(asks).to_contain_text("This decides nothing about the plan", timeout=20_000)
    plan.fill("When was Rosetta launched?\nWhen was <b>Giotto</b> launched?")
    asks.get_by_role("button", name="Go on with this plan").click()
    expect(page.get_by_label("Answer")).to_be_visible(timeout=20_000)
    expect(page.locator(".way")).to_contain_text("When was <b>Giotto</b> launched?")
