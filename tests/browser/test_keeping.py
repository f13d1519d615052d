"""What a person keeps and throws away: answers are taken along and rated, files are dropped, all can be deleted."""

import json
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from backtrail.evals.questions import Question

QUESTION = "When was Rosetta launched?"
DROP = """(form, files) => {
  const given = new DataTransfer();
  for (const [name, text] of files) given.items.add(new File([text], name));
  form.dispatchEvent(new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true }));
}"""


def answered(page: Page) -> None:
    page.goto("/ui?corpus=examples")
    page.get_by_label("Your question").fill(QUESTION)
    page.get_by_label("Method").select_option("bm25")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_label("Answer", exact=True)).to_contain_text("2004", timeout=30_000)


def test_an_answer_is_copied_taken_as_a_file_rated_and_deleted(page: Page) -> None:
    answered(page)
    thread = page.url
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert re.match(rf"# {re.escape(QUESTION)}\n\n.*2004.* \[1\].*\n\n## Sources\n\n1\. Rosetta", copied, re.DOTALL)
    with page.expect_download() as taken:
        page.get_by_role("link", name="JSON").click()
    held = json.loads(Path(taken.value.path()).read_text())
    assert (held["question"], held["corpus"], bool(held["answer"]["citations"])) == (QUESTION, "examples", True)
    page.get_by_text("Say more").click()
    page.get_by_label("What would be right").fill("On 2 March 2004")
    page.get_by_role("button", name="No").click()
    expect(page.get_by_label("Feedback")).to_contain_text("You called this wrong.")
    expect(page.get_by_label("What would be right")).to_have_value("On 2 March 2004")
    page.goto("/ui/runs")
    with page.expect_download() as taken:
        page.get_by_role("link", name="Rated answers as evaluation questions").click()
    questions = [Question.model_validate_json(line) for line in Path(taken.value.path()).read_text().splitlines()]
    assert [(one.question, one.answers) for one in questions] == [(QUESTION, ("On 2 March 2004",))]
    page.goto(thread)
    page.get_by_role("link", name="Delete this conversation").click()
    expect(page.get_by_role("listitem")).to_contain_text([f"the question “{QUESTION}”"])
    page.get_by_role("button", name="Delete").click()
    page.wait_for_url(re.compile("/ui/runs$"))
    expect(page.get_by_role("link", name=QUESTION)).to_have_count(0)
    assert page.request.get(thread).status == 404
    assert page.request.get("/ui/feedback.jsonl").text() == ""


def test_dropped_files_are_ingested_told_one_by_one_and_deleted(page: Page) -> None:
    page.goto("/ui/corpora")
    page.get_by_label("Name of the corpus").fill("tides")
    kelp = ["kelp.md", "# Kelp\n\nGiant kelp grows 60 centimetres a day.\n"]
    page.locator("form[data-drop]").evaluate(DROP, [kelp, ["moon.md", "# Moon\n\nIt pulls."], ["all.zip", "PK"]])
    expect(page.get_by_role("status")).to_contain_text("3 dropped: kelp.md, moon.md, all.zip")
    page.get_by_role("button", name="Ingest").click()
    page.wait_for_url(re.compile("/ui/corpora/tides/ingest"))
    results = page.get_by_role("region", name="Results by file")
    expect(results.get_by_role("row", name="kelp.md added")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("all.zip: archives are not opened; unpack it.")).to_be_visible()
    page.get_by_role("link", name="Look at it").click()
    page.get_by_role("link", name="Moon", exact=True).click()
    page.get_by_role("link", name="Delete").click()
    expect(page.get_by_role("listitem")).to_contain_text(["moon.md", "the file moon.md"])
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".documents").first).to_contain_text("Kelp")
    expect(page.get_by_role("link", name="Moon", exact=True)).to_have_count(0)
    page.get_by_role("link", name="Delete this corpus").click()
    expect(page.get_by_role("listitem")).to_contain_text(["1 document with their index", "1 file brought here"])
    page.get_by_role("link", name="Keep it").click()
    page.get_by_role("link", name="Delete this corpus").click()
    page.get_by_role("button", name="Delete").click()
    page.wait_for_url(re.compile("/ui/corpora$"))
    expect(page.get_by_role("link", name="tides")).to_have_count(0)
