"""What a run asks people is shown on the page and decided there."""

from __future__ import annotations

import re

from fixtures.page_server import PageServer
from playwright.sync_api import Page, expect

TWO = "When was Rosetta launched and when was Giotto launched?"


def asked(page: Page, question: str, setting: str, value: str) -> None:
    page.goto("/ui")
    page.get_by_label("Your question").fill(question)
    page.get_by_text("Picture, model and budget").click()
    page.locator(f"select[name={setting}]").select_option(value)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_url(re.compile("/ui/runs/"))


def test_a_plan_is_edited_before_it_is_carried_out(page: Page, server: PageServer) -> None:
    asked(page, TWO, "human_plan", "true")
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
