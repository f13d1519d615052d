from pathlib import Path

import pytest

from backtrail.ingest.discover import DuplicateDocument, NoSuchPath, NothingToIngest, discover


def tree(root, *names):
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return root


def found(discovery):
    return [(source.kind, source.document_id) for source in discovery]


def test_a_folder_is_searched_in_order_hidden_files_are_passed_over_and_unknown_ones_named(tmp_path):
    tree(tmp_path, "b.html", "a.MD", "sub/c.htm", "sub/d.pdf", ".hidden.html", ".git/x.html", "s.css", "sub/x.js")
    tree(tmp_path, "b.doc", "LICENSE", "q.jsonl.gz")
    discovery = discover([tmp_path])
    html = [("html", "b.html"), ("html", "sub/c.htm")]
    assert found(discovery) == [("markdown", "a.MD"), *html, ("pdf", "sub/d.pdf")]
    reasons = {part.path.name: part.reason for part in discovery.skipped}
    assert reasons.keys() == {"b.doc", "LICENSE", "q.jsonl.gz"}
    assert "folder" in reasons["q.jsonl.gz"]
    assert {source.root for source in discovery} == {tmp_path}


def test_pictures_beside_or_below_pages_are_their_figures(tmp_path):
    tree(tmp_path, "site/a.html", "site/img/deep/x.png", "site/y.svg", "photos/z.jpg", "photos/w.svg")
    discovery = discover([tmp_path])
    assert found(discovery) == [("image", "photos/w.svg"), ("image", "photos/z.jpg"), ("html", "site/a.html")]
    assert [figure.path.name for figure in discovery.figures] == ["y.svg", "x.png"]
    assert discovery.skipped == []
    assert found(discover([tmp_path / "site/img/deep/x.png"])) == [("image", "x.png")]


def test_a_bundle_is_one_source_and_is_not_searched(tmp_path):
    tree(tmp_path, "a.html", "set/documents.jsonl", "set/components.jsonl.gz", "set/media/x.html")
    assert found(discover([tmp_path])) == [("html", "a.html"), ("bundle", "set")]
    assert found(discover([tmp_path / "set"])) == [("bundle", "set")]


def test_links_that_leave_the_folder_are_skipped(tmp_path):
    tree(tmp_path, "in/a.html", "out/b.html", "out/d/c.html")
    (tmp_path / "in" / "b.html").symlink_to(tmp_path / "out" / "b.html")
    (tmp_path / "in" / "same.html").symlink_to(tmp_path / "in" / "a.html")
    (tmp_path / "in" / "d").symlink_to(tmp_path / "out" / "d")
    (tmp_path / "in" / "loop").symlink_to(tmp_path / "in")
    (tmp_path / "in" / "dangling.html").symlink_to(tmp_path / "in" / "gone.html")
    (tmp_path / "in" / "self.html").symlink_to("self.html")
    discovery = discover([tmp_path / "in"])
    assert found(discovery) == [("html", "a.html"), ("html", "same.html")]
    assert [part.path.name for part in discovery.skipped] == ["b.html", "dangling.html", "self.html"]


def test_equal_ids_are_an_error_that_names_both(tmp_path):
    tree(tmp_path, "one/a.html", "two/a.html")
    with pytest.raises(DuplicateDocument, match=r"one/a\.html and .*two/a\.html"):
        discover([tmp_path / "one", tmp_path / "two"])
    assert len(discover([tmp_path / "one", tmp_path / "one" / "a.html"]).sources) == 1


def test_nothing_found_says_what_is_supported(tmp_path):
    tree(tmp_path, "b.doc")
    with pytest.raises(NothingToIngest, match=r"(?s)Markdown.*b\.doc"):
        discover([tmp_path])
    with pytest.raises(NoSuchPath, match="gone"):
        discover([tmp_path / "gone"])
    with pytest.raises(NothingToIngest, match="no path"):
        discover([])


def test_what_backtrail_keeps_in_the_folder_is_not_ingested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, "a.md", "kept/uploads/notes/b.md", "kept/corpora/x.png", "sub/kept/c.md")
    monkeypatch.setenv("BACKTRAIL_HOME", str(tmp_path / "kept"))
    discovery = discover([tmp_path])
    assert found(discovery) == [("markdown", "a.md"), ("markdown", "sub/kept/c.md")]
    assert [part.path.name for part in discovery.skipped] == ["kept"]
    assert found(discover([tmp_path / "kept" / "uploads" / "notes"])) == [("markdown", "b.md")]
