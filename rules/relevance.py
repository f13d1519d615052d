"""Relevance of a component for a text: weighted features, shared by FiF's rules."""

from __future__ import annotations

from collections.abc import Mapping

from backtrail.language.appearance_questions import names_a_picture

# Gains were measured with FiF's last ranking without a model, on 100 questions each of MuSiQue and HotpotQA, none of
# them used for tuning, and on questions 601 to 660 of OTT-QA: Recall@10 of 69.2, 96.0 and 93.3 with all constants.

# Coverage shows which constraints are met and dominates; similarity finds paraphrases and breaks ties. Without it
# 67.0 on MuSiQue; with 1.0 69.9, and 96.5 on HotpotQA.
SIMILARITY = 0.6
# Rows are terser than questions, so a table is farther from a question than a text of the same content. The best
# tables get a larger bonus, as one of them may be the only one with the answer; the same bonus for all would
# displace other components. Without TABLE MRR@10 is 95.4 on OTT-QA instead of 96.7; without BEST_TABLE the same.
TABLE = 0.2
BEST_TABLES = 2
BEST_TABLE = 0.1
# Pictures are found by a caption of a few words. None of these questions asks for one.
PICTURE = 0.2
# Without it 68.6 on MuSiQue and 95.5 on HotpotQA.
CHILD_SIMILARITY = 0.3
# Without it MRR@10 is 96.2 on OTT-QA instead of 96.7.
BEST_ROW = 0.2
# Credit of a path depends on its coverage of the text: none below the first bound, full from the last one.
# With few common words a link means little: real pages link to each other regardless of the question. The end of a path
# is credited earlier than its start, since a hop chose to go there. Credited by its share alone it is 70.3 on
# MuSiQue and 96.5 on HotpotQA.
EXPLAINS_END = 0.2
EXPLAINS_START = 0.35
EXPLAINS_WELL = 0.65


def alone(coverage: float, similarity: float, context: float | None = None, *, table: bool = False) -> float:
    """Fit of one component by itself, in [-0.6, 1.6]; with its context, in [-0.6, 2.8].

    The context (section and document) counts as much as the component's own text.
    """
    own = coverage + SIMILARITY * similarity
    return own if context is None else own + context + (TABLE if table else 0.0)


def by_kind(fits: Mapping[str, float], kinds: Mapping[str, str], text: str) -> dict[str, float]:
    """Raise the fits of components whose modality may contain the answer.

    These are the best tables, and pictures if the text mentions one.

    Args:
        kinds: modality by id; fits of missing ids are unchanged.
    """
    tables = [key for key in fits if kinds.get(key) == "table"]
    lifted = dict.fromkeys(sorted(tables, key=lambda key: (-fits[key], key))[:BEST_TABLES], BEST_TABLE)
    if names_a_picture(text):
        lifted |= {key: PICTURE for key in fits if kinds.get(key) == "image"}
    return {key: fit + lifted.get(key, 0.0) for key, fit in fits.items()}


def as_start(onward_coverage: float, own_fit: float) -> float:
    """Fit of a component as the start of a path; its own fit if the path explains nothing.

    The path's coverage includes the component's own, so a start outranks its end: it makes
    the end relevant. 1.1 and 0.8 keep that order for equal paths and let a
    well fitting parent raise its children (measured on linked tables; anything from 1.0/0.7 to 1.5/1.0
    ranks within half a point).
    """
    from_here = onward_coverage + 1.1 * own_fit + BEST_ROW
    return own_fit + _explained(onward_coverage, EXPLAINS_START) * (from_here - own_fit)


def as_end(path_coverage: float, similarity: float, own_fit: float, parent_fit: float, from_best_row: bool) -> float:
    """Fit of a component at the end of a path from a parent; links of the best row come first.

    Without the parent's 0.8 Recall@10 is 67.9 on MuSiQue, 95.0 on HotpotQA and 85.0 on OTT-QA.
    """
    led_to = path_coverage + CHILD_SIMILARITY * similarity + 0.8 * parent_fit + (BEST_ROW if from_best_row else 0.0)
    return own_fit + _explained(path_coverage, EXPLAINS_END) * (led_to - own_fit)


def _explained(path_coverage: float, least: float) -> float:
    return min(1.0, max(0.0, (path_coverage - least) / (EXPLAINS_WELL - least)))
