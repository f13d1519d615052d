"""An object store on loopback, kept in memory, with faults on demand: as much of S3's protocol, and of Google's, which
is nearly the same, as is asked of it."""

import contextlib
import hashlib
import json
import threading
from collections import Counter
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

from loopback.http_server import Handler, HttpServer


class ObjectStore(HttpServer):
    """Objects by path. Set ``away`` and every request is answered with 503."""

    def __init__(self, address: str = "127.0.0.1") -> None:
        self.objects: dict[str, bytes] = {}
        self.parts: dict[str, dict[int, bytes]] = {}
        self.away = False
        self.asked: Counter[str] = Counter()
        self.lock = threading.Lock()
        store = self

        class Serving(_Handler):
            objects = store

        self.listen(Serving, address)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "AWS_ENDPOINT": self.url,
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "tests",
            "AWS_SECRET_ACCESS_KEY": "tests",
        }

    def google(self, folder: Path) -> dict[str, str]:
        """What a client of Google's storage finds it by: a service account without a token, written to the folder."""
        account = folder / "service-account.json"
        here = {"gcs_base_url": self.url, "disable_oauth": True}
        account.write_text(json.dumps({**here, "client_email": "tests", "private_key": "", "private_key_id": ""}))
        return {"GOOGLE_SERVICE_ACCOUNT": str(account), "GOOGLE_ALLOW_HTTP": "true"}


class _Handler(Handler):
    objects: ObjectStore
    disable_nagle_algorithm = True

    def handle_one_request(self) -> None:
        """A client that was killed is no error here."""
        with contextlib.suppress(ConnectionError):
            super().handle_one_request()

    def _answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.respond(status, body, {name.replace("_", "-"): value for name, value in headers.items()})

    def _begin(self) -> tuple[str, dict[str, str], bytes] | None:
        """Path, query and body; None when the store is away, which is answered."""
        body = self.content()
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        self.objects.asked[self.command] += 1
        if self.objects.away:
            self._answer(503, b"<Error><Code>ServiceUnavailable</Code></Error>")
            return None
        return unquote(parts.path).lstrip("/"), query, body

    def do_PUT(self) -> None:
        begun = self._begin()
        if begun is None:
            return
        path, query, body = begun
        with self.objects.lock:
            if "partNumber" in query:
                self.objects.parts[query["uploadId"]][int(query["partNumber"])] = body
            elif self._only_new() and path in self.objects.objects:
                self.objects.asked["refused"] += 1
                self._answer(412, b"<Error><Code>PreconditionFailed</Code></Error>")
                return
            else:
                source = self.headers.get("x-amz-copy-source") or self.headers.get("x-goog-copy-source")
                self.objects.objects[path] = self.objects.objects[unquote(source).lstrip("/")] if source else body
        self._answer(200, b"<CopyObjectResult></CopyObjectResult>", ETag=_tag(body))

    def _only_new(self) -> bool:
        """Whether nothing is to be replaced, as either protocol says it."""
        return self.headers.get("If-None-Match") == "*" or self.headers.get("x-goog-if-generation-match") == "0"

    def do_POST(self) -> None:
        begun = self._begin()
        if begun is None:
            return
        path, query, body = begun
        with self.objects.lock:
            if "uploads" in query:
                upload = hashlib.sha256(f"{path} {len(self.objects.parts)}".encode()).hexdigest()
                self.objects.parts[upload] = {}
                named = f"<UploadId>{upload}</UploadId>"
                self._answer(200, f"<InitiateMultipartUploadResult>{named}</InitiateMultipartUploadResult>".encode())
            elif "uploadId" in query:
                parts = self.objects.parts.pop(query["uploadId"])
                whole = b"".join(part for _, part in sorted(parts.items()))
                self.objects.objects[path] = whole
                tag = f"<ETag>{escape(_tag(whole))}</ETag>"
                self._answer(200, f"<CompleteMultipartUploadResult>{tag}</CompleteMultipartUploadResult>".encode())
            else:  # several are deleted
                keys = [key.partition("</Key>")[0] for key in body.decode().split("<Key>")[1:]]
                for key in keys:
                    self.objects.objects.pop(f"{path.rstrip('/')}/{key}", None)
                gone = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
                self._answer(200, f"<DeleteResult>{gone}</DeleteResult>".encode())

    def do_DELETE(self) -> None:
        begun = self._begin()
        if begun is not None:
            with self.objects.lock:
                self.objects.objects.pop(begun[0], None)
            self._answer(204)

    def do_GET(self) -> None:
        begun = self._begin()
        if begun is None:
            return
        path, query, _ = begun
        if "list-type" in query:
            self._answer(200, self._listed(path.rstrip("/"), query), Content_Type="application/xml")
            return
        content = self.objects.objects.get(path)
        if content is None:
            self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
            return
        headers = {"ETag": _tag(content), "Last_Modified": "Sun, 01 Jan 2023 00:00:00 GMT"}
        asked = self.headers.get("Range")
        if not asked:
            self._answer(200, content, **headers)
            return
        first, _, last = asked.removeprefix("bytes=").partition("-")
        start = int(first) if first else max(0, len(content) - int(last))
        end = min(int(last), len(content) - 1) if first and last else len(content) - 1
        some = content[start : end + 1]
        self._answer(206, some, Content_Range=f"bytes {start}-{end}/{len(content)}", **headers)

    do_HEAD = do_GET

    def _listed(self, bucket: str, query: dict[str, str]) -> bytes:
        prefix, delimiter, after = query.get("prefix", ""), query.get("delimiter", ""), query.get("start-after", "")
        held = {key.removeprefix(f"{bucket}/"): value for key, value in self.objects.objects.items()}
        keys = sorted(key for key in held if key.startswith(prefix) and key > after)
        rest = [key[len(prefix) :] for key in keys]
        folders = {prefix + one.partition(delimiter)[0] + delimiter for one in rest if delimiter and delimiter in one}
        files = [prefix + one for one in rest if not delimiter or delimiter not in one]
        entries = "".join(
            f"<Contents><Key>{escape(key)}</Key><LastModified>2023-01-01T00:00:00.000Z</LastModified>"
            f"<ETag>{escape(_tag(held[key]))}</ETag><Size>{len(held[key])}</Size></Contents>"
            for key in files
        )
        entries += "".join(
            f"<CommonPrefixes><Prefix>{escape(folder)}</Prefix></CommonPrefixes>" for folder in sorted(folders)
        )
        return f"<ListBucketResult><IsTruncated>false</IsTruncated>{entries}</ListBucketResult>".encode()


def _tag(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'
