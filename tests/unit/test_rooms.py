"""No optional engine is imported for nothing."""

import subprocess
import sys

ENGINES = (
    "backtrail.tools.local.", "backtrail.tools.deciders.batch.", "backtrail.tools.vector_stores.lance",
    "backtrail.tools.deciders.openai_chat", "backtrail.tools.access.aegra", "backtrail.training.",
)  # fmt: skip
"""Rooms and modules that are imported only when they are used."""
PACKAGES = (
    "lance", "pyarrow", "ray", "torch", "transformers", "peft", "accelerate", "llguidance", "gguf", "chromadb",
    "openai", "langchain_openai", "langchain_anthropic", "langchain_google_genai", "langchain_community",
)  # fmt: skip
IMPORT_CORE = """
import importlib, pkgutil, sys
engines, packages = sys.argv[1].split(","), sys.argv[2].split(",")
for room in ("state", "language", "rules", "prompts", "nodes", "graphs", "tools", "ingest", "evals"):
    room = importlib.import_module(f"backtrail.{room}")
    for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        if not found.name.startswith(tuple(engines)):
            importlib.import_module(found.name)
print(*(name for name in sys.modules if name in packages or name.startswith(tuple(engines))))
"""


def test_importing_the_core_loads_no_optional_engine() -> None:
    command = [sys.executable, "-c", IMPORT_CORE, ",".join(ENGINES), ",".join(PACKAGES)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == []
