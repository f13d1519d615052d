"""Table of the rules for FiF's decisions."""

from __future__ import annotations

from backtrail.rules.decompose import decompose
from backtrail.rules.fif.advance import advance
from backtrail.rules.fif.evaluate import evaluate
from backtrail.rules.fif.orchestrate import orchestrate
from backtrail.rules.fif.plan import plan
from backtrail.rules.fif.rerank import rerank
from backtrail.rules.fif.select import select
from backtrail.rules.rule import Rules

RULES: Rules = {
    "fif_decompose": decompose,
    "fif_orchestrate": orchestrate,
    "fif_plan": plan,
    "fif_select_documents": select,
    "fif_select_components": select,
    "fif_evaluate": evaluate,
    "fif_advance": advance,
    "fif_rerank": rerank,
}
