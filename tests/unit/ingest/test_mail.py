from email.message import EmailMessage

import pytest

from backtrail.ingest.discover import discover
from backtrail.ingest.mail import documents
from backtrail.ingest.mail.documents import safe_name
from backtrail.ingest.parse import parse
from backtrail.ingest.report import Problem


def message(subject="Pumps", text="The pumps are low.", **head):
    made = EmailMessage()
    made["Subject"], made["From"], made["To"] = subject, "Ann <ann@x.example>", "bob@x.example"
    made["Date"] = "Wed, 21 Dec 2022 10:28:53 -0600"
    for name, value in head.items():
        made[name.replace("_", "-")] = value
    made.set_content(text)
    return made


def parsed(tmp_path, content, name="mail.eml"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.as_bytes())
    return list(parse(next(iter(discover([path])))))


def test_a_message_has_its_head_its_text_and_links(tmp_path):
    (document,) = parsed(
        tmp_path, message(text="See https://pumps.example now.", Message_ID="<1@x>", In_Reply_To="<0@x>")
    )
    assert document.document.title == "Pumps"
    assert document.document.url == "mid:1@x"
    head, text = document.components
    assert "From: Ann <ann@x.example>" in head.text
    assert "Date: Wed, 21 Dec 2022 10:28:53 -0600" in head.text
    assert [link.target for link in head.links] == ["mid:0@x"]
    assert [link.target for link in text.links] == ["https://pumps.example"]


def test_attachments_are_documents_by_their_kind_and_linked(tmp_path, picture):
    made = message()
    made.add_attachment("Pump,Litres\nA 1,120\n", filename="stock.csv")
    made.add_attachment(picture(), maintype="image", subtype="png", filename="../../pump.png")
    made.add_attachment(b"MZ", maintype="application", subtype="octet-stream", filename="run.exe")
    mail, stock, pump = parsed(tmp_path, made)
    assert [one.document.id for one in (mail, stock, pump)] == ["mail.eml", "mail.eml/stock.csv", "mail.eml/pump.png"]
    assert {one.document.source for one in (mail, stock, pump)} == {str(tmp_path / "mail.eml")}
    assert stock.components[0].table.rows == (("A 1", "120"),)
    assert all(isinstance(blob, bytes) for blob in pump.blobs.values())
    assert [link.target for link in mail.components[0].links] == ["mail.eml/stock.csv", "mail.eml/pump.png"]
    assert [(part.source, ".exe" in part.reason) for part in mail.skipped] == [("mail.eml/run.exe", True)]


def test_pictures_in_the_text_are_shown_where_they_stand(tmp_path, picture):
    made = message()
    made.add_alternative(
        "<p>See:</p><img src='cid:a1' alt='The pump'><img src='http://t.example/x.gif' alt='T'>", subtype="html"
    )
    made.get_payload()[1].add_related(picture(), "image", "png", cid="<a1>")
    (document,) = parsed(tmp_path, made)
    pump = document.components[2].image
    assert (pump.alt, pump.blob in document.blobs) == ("The pump", True)
    assert any("not in the message" in part.reason for part in document.skipped)


def test_messages_within_messages_are_read_to_a_bounded_depth(tmp_path):
    made = message("deep 0", "innermost")
    for depth in range(1, 6):
        outer = message(f"deep {depth}", "outer")
        outer.add_attachment(made)
        made = outer
    found = parsed(tmp_path, made)
    assert [one.document.title for one in found] == ["deep 5", "deep 4", "deep 3", "deep 2"]
    assert any("messages deep" in part.reason for one in found for part in one.skipped)


def test_attachments_are_bounded_in_number_and_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(documents.Delivery, "__init__", lambda self, source: vars(self).update(
        source=source, depth=0, attachments=2, left=50))  # fmt: skip
    made = message()
    for number, size in enumerate((10, 100, 5)):
        made.add_attachment("x" * size, filename=f"{number}.txt")
    mail, *attached = parsed(tmp_path, made)
    assert [one.document.id for one in attached] == ["mail.eml/0.txt"]
    assert [part.reason.split(" ")[0] for part in mail.skipped] == ["brings", "is"]


def test_a_box_gives_a_document_per_message(tmp_path):
    messages = (message(f"M{n}", "Hi\n>From here").as_bytes() for n in (1, 2))
    content = b"".join(b"From ann Wed Dec 21 10:28:53 2022\n" + one + b"\n\n" for one in messages)
    found = parsed(tmp_path, content, "box.mbox")
    assert [(one.document.id, one.document.title) for one in found] == [("box.mbox/1", "M1"), ("box.mbox/2", "M2")]


def test_a_wrong_encoding_is_named(tmp_path):
    head = b"Subject: Hi\nContent-Type: text/plain; charset=nonsense-8\nContent-Transfer-Encoding: 8bit\n\n"
    raw = head + b"H\xf6he \xfcber dem Meer\n"
    (document,) = parsed(tmp_path, raw)
    assert document.components[1].text == "Höhe über dem Meer"
    assert "does not" not in document.skipped[0].reason
    assert "nonsense-8" in document.skipped[0].reason


@pytest.mark.parametrize("name", ["mail.eml", "box.mbox", "note.msg"])
def test_what_is_no_mail_is_a_problem(tmp_path, name):
    (problem,) = parsed(tmp_path, b"just words\nand more\n", name)
    assert isinstance(problem, Problem)


def test_names_of_attachments_are_only_names():
    assert safe_name("../../etc/passwd") == "passwd"
    assert safe_name("C:\\temp\\..\\report.pdf") == "report.pdf"
    assert safe_name("\x00.hidden") == "hidden"
    assert safe_name("..") == "attachment"
    assert len(safe_name("a" * 500 + ".docx")) < 100
    assert safe_name("a" * 500 + ".docx").endswith(".docx")


def test_of_a_message_whose_parts_lie_very_deep_the_head_is_read(tmp_path):
    head = b"From: ann@example.org\nSubject: Deep\n"
    parts = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(3000))
    (tmp_path / "deep.eml").write_bytes(head + parts + b"Content-Type: text/plain\n\nx\n")
    (parsed,) = parse(discover([tmp_path / "deep.eml"]).sources[0])
    assert parsed.document.title == "Deep"
    assert any("too deep" in part.reason for part in parsed.skipped)


@pytest.mark.parametrize("name", ["To", "Subject", "References"])
@pytest.mark.parametrize("shape", ["a,", "=?utf-8?q?=41?= ", '"', "(a)", "(", "\\", "=?u?q?", "a\n "])
def test_headers_of_any_length_are_read_up_to_a_bound_that_is_named(tmp_path, name, shape):
    head = "From: a" if name == "Subject" else "Subject: S"
    (document,) = parsed(tmp_path, f"{head}\n{name}: {shape * (1_000_000 // len(shape))}\n\nhello".encode())
    assert document.components[-1].text == "hello"
    (skipped,) = document.skipped
    assert skipped.reason.startswith(f"its header {name} has ")
    assert skipped.reason.endswith(" characters, of which 65,536 were read")


@pytest.mark.parametrize("shape", [";", ";a=b", "(a", ";a*1*='", '"', "(a)", ":;"])
def test_parts_whose_headers_cannot_be_parsed_are_read_and_named(tmp_path, shape):
    body = "\n\n--b\nContent-Type: text/plain; " + shape * (1_000_000 // len(shape)) + "\n\nhello\n--b--\n"
    (document,) = parsed(tmp_path, f'Subject: Hi\nContent-Type: multipart/mixed; boundary="b"{body}'.encode())
    assert document.components[-1].text == "hello"
    assert [part.reason for part in document.skipped] == [
        "of the header Content-Type of part 1, 2,000 characters were read"
    ]
