"""Checks of ``backtrail doctor``. An error of a check becomes its finding."""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import get_args

from backtrail.cli.commands.check_result import Finding
from backtrail.cli.commands.doctor_access import access, addresses, clients
from backtrail.cli.commands.options import settings_from
from backtrail.graphs.methods import METHODS
from backtrail.language.counted_nouns import counted
from backtrail.state.extensions import Group, extensions, load_extension
from backtrail.state.settings import OFFLINE, Settings
from backtrail.tools.errors import BacktrailError
from backtrail.tools.home import checkpoints_file, home
from backtrail.tools.home_errors import check_home, home_error
from backtrail.tools.installation import install_command
from backtrail.tools.settings.keys import ROLES
from backtrail.tools.toolbox import Toolbox

PACKAGES = (
    "backtrail",
    "langgraph",
    "langchain-core",
    "langchain-openai",
    "onnxruntime",
    "bm25s",
    "pydantic",
)
_FORMS = {
    "schema": "by a JSON schema",
    "tool": "by a forced tool call",
    "json": "in JSON mode",
    "text": "in text, from which JSON is read",
}
KEYS = ("OPENAI_API_KEY", "BACKTRAIL_API_KEY", "SERPER_API_KEY", "SERPAPI_API_KEY", "JINA_API_KEY")


def examine(*, probing: bool = False) -> Iterator[Finding]:
    """Run all checks and yield their findings in order.

    Args:
        probing: send each configured model a small request.
    """
    checks: list[Callable[[], Iterator[Finding]]] = [
        _python, _packages, _extensions, _home, _settings, _checkpoints, _embedder, _vectors, _ocr, _store, _corpora,
        _keys, _models, _web, _server, access, clients, addresses, *([_probes] if probing else []),
    ]  # fmt: skip
    for check in checks:
        name = check.__name__.lstrip("_")
        try:
            yield from check()
        except BacktrailError as error:
            yield Finding(name, "broken", str(error))
        except Exception as error:  # noqa: BLE001 - any fault is a finding
            trouble = home_error(error)
            yield Finding(name, "broken", str(trouble) if trouble else f"{type(error).__name__}: {error}")


def _python() -> Iterator[Finding]:
    yield Finding("python", "ok", f"{platform.python_version()} on {platform.system()} {platform.machine()}")


def _packages() -> Iterator[Finding]:
    missing: list[str] = []
    found: list[str] = []
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            missing.append(package)
    if missing:
        yield Finding("packages", "broken", f"missing: {', '.join(missing)}. Install with: {install_command()}")
    yield Finding("packages", "ok", ", ".join(found))


def _extensions() -> Iterator[Finding]:
    """Load each extension of other packages, by group."""
    len(METHODS)  # loads the methods, which fills ``unusable``
    for group in get_args(Group):
        for name in extensions(group):
            try:
                load_extension(group, name, object)
            except BacktrailError as error:
                yield Finding("extensions", "broken", str(error))
                continue
            if group == "methods" and (error := METHODS.unusable.get(name)):
                yield Finding("extensions", "broken", str(error))
            else:
                yield Finding("extensions", "ok", f"{name} ({group.replace('_', ' ')})")


def _home() -> Iterator[Finding]:
    check_home()
    yield Finding("home", "ok", f"{home()} is writable")


def _settings() -> Iterator[Finding]:
    changed = {
        key: value for key, value in settings_from([], {}).model_dump().items() if value != Settings().model_dump()[key]
    }
    yield Finding("settings", "ok", f"changed from the defaults: {changed}" if changed else "the defaults")


def _checkpoints() -> Iterator[Finding]:
    from backtrail.tools.checkpoints.history import recent_threads
    from backtrail.tools.checkpoints.open import URL_VARIABLE, open_checkpoints

    async def count() -> int:
        async with open_checkpoints() as saver:
            return len(await recent_threads(saver, 1000))

    threads = asyncio.run(count())
    # the URL may contain a password: show only the name of its variable
    place = f"the database of {URL_VARIABLE}" if os.environ.get(URL_VARIABLE) else str(checkpoints_file())
    yield Finding("checkpoints", "ok", f"{threads} threads in {place}")


def _embedder() -> Iterator[Finding]:
    from backtrail.tools.corpus.open import shared_embedder

    embedder = shared_embedder("offline")
    embedder.embed(["Test of the embedder."])
    yield Finding("embedder", "ok", f"offline: {embedder.fingerprint}, {embedder.dimension} dimensions")


def _vectors() -> Iterator[Finding]:
    from backtrail.tools.vector_stores.kinds import CHROMA_UP_TO, chosen_kind, finds_a_vector

    kind, beyond = chosen_kind(1), chosen_kind(CHROMA_UP_TO + 1)
    served = kind if kind == beyond else f"{kind} up to {CHROMA_UP_TO:,} vectors of a corpus, {beyond} beyond"
    if finds_a_vector(kind):
        yield Finding("vector store", "ok", served)
    else:
        yield Finding("vector store", "broken", f"{kind} does not find a vector that was just stored. Reinstall it.")


def _ocr() -> Iterator[Finding]:
    from backtrail.tools.ocr.errors import TesseractMissing
    from backtrail.tools.ocr.tesseract import installed_tesseract

    try:
        version, languages = installed_tesseract()
    except TesseractMissing as error:
        yield Finding("ocr", "note", str(error))
        return
    yield Finding("ocr", "ok", f"tesseract {version} reads words in pictures: {', '.join(languages) or 'no language'}")


def _corpora() -> Iterator[Finding]:
    from backtrail.cli.show.edge_names import edge_names
    from backtrail.tools.corpus.manage import check, describe, list_corpora

    names = list_corpora()
    if not names:
        yield Finding("corpora", "note", "none yet. Make one with: backtrail ingest PATH --corpus NAME")
    for name in names:
        try:
            problems = check(name)
        except BacktrailError as error:  # check the other corpora too
            yield Finding("corpus", "broken", str(error))
            continue
        if problems:
            advice = f"Rebuild with: backtrail corpus reindex {name}"
            yield Finding("corpus", "broken", f"{name}: {'; '.join(problems)}. {advice}")
        else:
            held = describe(name)
            yield Finding(
                "corpus",
                "ok",
                f"{name}: {counted(held.documents, 'document')}, all well; edges: {edge_names(held.edges)}"
                + (f"; in {held.store}" if held.store else ""),
            )


def _store() -> Iterator[Finding]:
    from backtrail.tools.corpus.store.pointer import open_pointer
    from backtrail.tools.corpus.store_address import default_address
    from backtrail.tools.open_lance import open_lance

    address = default_address()
    if address is None:
        yield Finding("store", "note", "BACKTRAIL_STORE is not set; corpora are in this home unless moved")
        return
    lance, held = open_lance(), open_pointer(address).names()
    yield Finding("store", "ok", f"{address} (by Lance {lance.__version__}): {', '.join(held) or 'no corpus yet'}")


def _keys() -> Iterator[Finding]:
    present = [key for key in KEYS if os.environ.get(key)]
    absent = [key for key in KEYS if key not in present]
    yield Finding("keys", "ok", f"set: {', '.join(present) or 'none'}; not set: {', '.join(absent) or 'none'}")


def _named_models(settings: Settings) -> dict[str, list[str]]:
    """Return the configured models with their roles."""
    named: dict[str, list[str]] = {}
    for role in ROLES:
        named.setdefault(str(getattr(settings, role)), []).append(role)
    return named


def _probes() -> Iterator[Finding]:
    """Probe what each model accepts and how it replies, by one request that may cost a fraction of a cent."""
    from backtrail.tools.deciders.probe_capabilities import probe
    from backtrail.tools.deciders.protocol import DecisionFailed

    for model in _named_models(settings_from([], {})):
        if model == OFFLINE:
            continue
        try:
            probed = asyncio.run(probe(model))
        except (BacktrailError, DecisionFailed) as error:
            yield Finding("probe", "broken", f"{model}: {error}")
            continue
        spent = f"{probed.charge['input_tokens']} tokens in, {probed.charge['output_tokens']} out"
        if probed.abilities is None:
            yield Finding("probe", "ok", f"{model} replies ({spent})")
            continue
        form = _FORMS[probed.abilities.form]
        takes = ", ".join(name for name, able in probed.abilities.can.items() if able) or "nothing else"
        lacks = ", ".join(name for name, able in probed.abilities.can.items() if not able)
        left_out = f"; not sent: {lacks}" if lacks else ""
        yield Finding("probe", "ok", f"{model} replies {form}; accepts {takes}{left_out} ({spent})")


def _models() -> Iterator[Finding]:
    from backtrail.tools.deciders.open import open_decider

    settings = settings_from([], {})
    named = _named_models(settings)
    for model, roles in named.items():
        if model == OFFLINE:
            yield Finding("model", "ok", f"offline rules: {', '.join(roles)}")
            continue
        open_decider(model, temperature=settings.temperature)
        yield _reachable(model, ", ".join(roles))


def _reachable(model: str, roles: str) -> Finding:
    """Check that something listens at the model's address, without a request, which could cost money."""
    import socket
    from urllib.parse import urlsplit

    from backtrail.tools.deciders.environment import base_url
    from backtrail.tools.deciders.model_name import parse_model_name
    from backtrail.tools.deciders.providers import PROVIDERS

    name = parse_model_name(model)
    if name.provider == "recorded":
        return Finding("model", "ok", f"{model}: {roles}")
    if name.provider == "local":
        from backtrail.tools.local.checkpoint import read_checkpoint

        try:
            checkpoint = read_checkpoint(Path(name.model))
        except BacktrailError as error:
            return Finding("model", "broken", f"{model} ({roles}): {error}")
        kind = "vision-language" if checkpoint.sees else "text"
        return Finding("model", "ok", f"{model} ({roles}): {kind} checkpoint, {checkpoint.model_type}")
    usual = PROVIDERS[name.provider].address if name.provider in PROVIDERS else "https://api.openai.com/v1"
    url = base_url(name) or usual
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname or "", port), timeout=5).close()
    except OSError as error:
        return Finding("model", "broken", f"{model} ({roles}): {parts.hostname}:{port} cannot be reached ({error})")
    return Finding("model", "ok", f"{model} ({roles}): {parts.hostname}:{port} answers")


def _web() -> Iterator[Finding]:
    from backtrail.tools.web import environment
    from backtrail.tools.web.fetching.upload import hook
    from backtrail.tools.web.open import open_searches

    settings = settings_from([], {})
    searches = open_searches(settings.web, lambda: Toolbox().corpus(settings))
    yield Finding("web", "ok", f"searched by {searches.provider}, pages read by {settings.web.reader}")
    if searches.provider == "serpapi" and not hook():
        yield Finding("web", "note", f"no search by picture: neither {environment.UPLOAD_COMMAND} nor _URL is set")
    if environment.loopback_allowed():
        yield Finding("web", "note", "pages of this machine may be fetched (BACKTRAIL_FETCH_LOOPBACK)")
    if not environment.robots_honoured():
        yield Finding("web", "note", "robots.txt is ignored (BACKTRAIL_FETCH_ROBOTS)")


def _server() -> Iterator[Finding]:
    try:
        found = f"langgraph-cli {version('langgraph-cli')}, langgraph-api {version('langgraph-api')}"
    except PackageNotFoundError:
        yield Finding("server", "note", f"not installed. Install it with: {install_command('server')}")
        return
    yield Finding("server", "ok", found)
