"""backtrail reproduce: run the tables of a paper and compare them with the published figures."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from backtrail.cli.commands.options import AsJson, AskingEngine, Assignments, Model
from backtrail.cli.commands.reproduction import options

if TYPE_CHECKING:
    from backtrail.evals.allowance import Allowance
    from backtrail.evals.published.table import Table
    from backtrail.evals.reproduction.plan import Choice, Plan
    from backtrail.evals.runner import Evaluation
    from backtrail.state.settings import Settings

Keyed = dict[tuple[str, ...], "Evaluation"]


def reproduce(
    paper: options.Paper = None,
    table: options.TableNumber = None,
    assignments: Assignments = None,
    model: Model = None,
    row: options.Rows = None,
    variant: options.Variant = "both",
    on: options.On = None,
    small: options.Small = False,
    limit: options.Limit = None,
    sample: options.Sample = None,
    stratify: options.Stratify = None,
    from_: options.From = None,
    though_changed: options.ThoughChanged = False,
    check: options.Check = False,
    pilot: options.Pilot = None,
    budget_usd: options.BudgetUsd = None,
    concurrency: options.Concurrency = 4,
    engine: AskingEngine = "local",
    retry_failed: options.RetryFailed = False,
    out: options.Out = None,
    report: options.Report = False,
    as_json: AsJson = False,
) -> None:
    """Run the tables of a paper and print ours beside the published figures. Run it again to continue.

    Exit status: 0 all well, 1 some questions failed, the budget was reached or some tables cannot be run, 2 none can.
    """
    from backtrail.evals.allowance import Allowance
    from backtrail.evals.published.find import find_tables
    from backtrail.evals.reproduction.plan import Choice
    from backtrail.tools.home import home_of_samples

    choice = Choice(
        _variants(variant), tuple(row or ()), _stand_ins(on), limit, sample, stratify, concurrency, retry_failed,
        shlex.join(["backtrail", *sys.argv[1:]]),
    )  # fmt: skip
    allowance = Allowance(budget_usd)
    if from_ is None and paper is None:
        return _list(as_json=as_json)
    small = small if from_ is None else _is_of_samples(from_)
    with home_of_samples() if small else nullcontext():
        if from_ is not None:
            plans = [_again(from_, choice, allowance, though_changed=though_changed)]
        else:
            tables = find_tables(paper or "", table)
            plans = [_planned(one, choice, allowance, assignments, model, small=small) for one in tables]
        if check:
            return _check(plans, as_json=as_json)
        _check_budget(plans, budget_usd)
        done = [_one(one, choice, pilot, small, out, engine, report=report, as_json=as_json) for one in plans]
    _leave(done, allowance)


def _check_budget(plans: list[Plan], usd: float | None) -> None:
    """Raise PriceUnknown if dollars are limited and a model has no price, before anything is asked."""
    from backtrail.evals.reproduction.known_prices import unpriced
    from backtrail.tools.deciders.errors import PriceUnknown

    if usd and (models := unpriced(job.settings for one in plans for job in one.jobs().values())):
        raise PriceUnknown(models[0], "--budget-usd")


def _leave(done: list[int], allowance: Allowance) -> None:
    """Exit with the worst status of the tables."""
    from backtrail.cli.show.console import err

    if allowance.used_up:
        err.print(f"The budget is used up (${allowance.spent:.2f} spent). Run the same command again to continue.")
    if all(status == 2 for status in done):
        raise typer.Exit(2)
    if allowance.used_up or any(done):
        raise typer.Exit(1)


def _variants(text: str) -> tuple[Any, ...]:
    from backtrail.state.variant import VARIANTS

    named = {"both": VARIANTS, **{one: (one,) for one in VARIANTS}}
    if text not in named:
        raise typer.BadParameter(f"{text!r} is none of {', '.join(named)}.", param_hint="--variant")
    return named[text]


def _stand_ins(on: list[str] | None) -> dict[str, str]:
    pairs = [one.partition("=") for one in on or ()]
    for name, equals, task in pairs:
        if not (name and equals and task):
            raise typer.BadParameter("has the form BENCHMARK=TASK, as multimodalqa=ottqa.", param_hint="--on")
    return {name: task for name, _, task in pairs}


def _list(*, as_json: bool) -> None:
    from backtrail.evals.published.find import published

    tables = published()
    if as_json:
        print(json.dumps([{"paper": one.paper, "table": one.number, "title": one.title} for one in tables]))
        return
    for one in tables:
        runnable = sum(bool(row.method) for row in one.rows)
        print(f"{one.paper:12} {one.number:>3}  {one.title} ({runnable} of {len(one.rows)} rows can be run)")


def _planned(
    table: Table, choice: Choice, allowance: Allowance, assignments: list[str] | None, model: str | None, *, small: bool
) -> Plan:
    from backtrail.cli.commands.options import settings_from
    from backtrail.evals.reproduction.plan import plan
    from backtrail.evals.reproduction.sample import sampled
    from backtrail.tools.settings.keys import parse_assignments

    assigned = parse_assignments(assignments or [])
    if unknown := set(choice.substitutes) - set(table.benchmarks):
        known = ", ".join(table.benchmarks)
        raise typer.BadParameter(
            f"{min(unknown)!r} is no benchmark of the table; there are {known}.", param_hint="--on"
        )

    def settings_of(soft: Mapping[str, Any], fixed: Mapping[str, Any]) -> Settings:
        own = {key: value for key, value in soft.items() if key not in assigned}
        return settings_from(assignments, {**own, **fixed}, model=model)

    return plan(table, choice, settings_of, sampled if small else lambda task: task, allowance)


def _is_of_samples(manifest: Path) -> bool:
    from backtrail.evals.reproduction.manifest import read_manifest

    return bool(read_manifest(manifest).get("sample"))


def _again(file: Path, choice: Choice, allowance: Allowance, *, though_changed: bool) -> Plan:
    """Return the plan of a manifest. Raises ManifestError if something has changed."""
    from backtrail.evals.errors import ManifestError
    from backtrail.evals.reproduction.manifest import corpora_changed, plan_from, read_manifest
    from backtrail.evals.reproduction.sample import sampled
    from backtrail.tools.toolbox import Toolbox

    read = read_manifest(file)
    small = bool(read.get("sample"))
    plan, changed = plan_from(read, choice, sampled if small else lambda task: task, allowance)
    changed += corpora_changed(read, plan, Toolbox())
    if changed and not though_changed:
        listed = "; ".join(changed)
        raise ManifestError(f"Changed since then: {listed}. Check out {read.get('commit')}, or give --though-changed.")
    return plan


def _check(plans: list[Plan], *, as_json: bool) -> None:
    """Print what can be run and what is missing. Raises typer.Exit(2) if nothing can be run."""
    from backtrail.evals.reproduction.markdown_table import readiness_markdown

    if as_json:
        readiness = [
            {
                "table": one.table.name,
                "runs": len(one.jobs()),
                "questions": sum(len(job.questions) for job in one.jobs().values()),
                "lacking": [
                    {"benchmark": lack.benchmark, "why": lack.reason, "how": lack.remedy} for lack in one.missing
                ],
            }
            for one in plans
        ]
        print(json.dumps(readiness, ensure_ascii=False))
    else:
        print("\n\n".join(readiness_markdown(one) for one in plans))
    if not any(one.runs for one in plans):
        raise typer.Exit(2)


def _one(
    plan: Plan,
    choice: Choice,
    pilot: int | None,
    small: bool,
    out: Path | None,
    engine: str,
    *,
    report: bool,
    as_json: bool,
) -> int:
    """Run one table, print and write it, and return its exit status."""
    from backtrail.cli.commands.reproduction.pages import write_pages
    from backtrail.cli.show.console import err
    from backtrail.evals.reproduction.known_prices import unpriced, unpriced_note
    from backtrail.evals.reproduction.markdown_table import estimates_markdown, lacks_markdown
    from backtrail.evals.reproduction.pilot import estimates
    from backtrail.evals.reproduction.write_report import write

    if not plan.runs:
        print(f"{plan.table.name}: nothing can be run.\n{lacks_markdown(plan.missing)}")
        return 2
    evaluated = _evaluated(plan, pilot, engine, shown=not as_json)
    if pilot is not None:
        found = estimates(plan, evaluated)
        print(json.dumps([_plain(one) for one in found]) if as_json else estimates_markdown(found))
        if notice := unpriced_note(unpriced(job.settings for job in plan.jobs().values())):
            err.print(notice, soft_wrap=True)
        return int(any(_failed(evaluated)))
    folder = _folder(plan, out)
    text, manifest_values = write(folder, plan, evaluated, choice, sample=small)
    print(json.dumps(manifest_values, ensure_ascii=False) if as_json else text)
    for page in write_pages(folder, plan, evaluated) if report else ():
        err.print(f"page: {page}", style="dim", soft_wrap=True)
    err.print(
        f"{plan.table.name}: table.md, .csv, .tex, .svg and manifest.json in {folder}", style="dim", soft_wrap=True
    )
    return int(any(_failed(evaluated)))


def _failed(evaluated: Keyed) -> list[bool]:
    return [outcome.error is not None for one in evaluated.values() for _, outcome in one.pairs]


def _plain(estimate: Any) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(estimate)


def _folder(plan: Plan, out: Path | None) -> Path:
    """Return the output folder of a table."""
    from backtrail.tools.home import home

    return (out or home() / "reproductions") / plan.table.name


def _evaluated(plan: Plan, pilot: int | None, engine: str, *, shown: bool) -> Keyed:
    from backtrail.cli.commands.eval import EvalBar
    from backtrail.evals.ray_workers import question_workers_on
    from backtrail.evals.reproduction.pilot import piloted
    from backtrail.evals.runner import evaluate
    from backtrail.tools.toolbox import Toolbox

    async def run() -> Keyed:
        toolbox, jobs = Toolbox(), plan.jobs()
        at_once = max(job.concurrency for job in jobs.values())
        with EvalBar(shown=shown) as bar:
            async with question_workers_on(engine, [job.settings for job in jobs.values()], at_once) as askers:
                return {key: await evaluate(piloted(job, pilot), toolbox, bar, askers) for key, job in jobs.items()}

    try:
        return asyncio.run(run())
    except KeyboardInterrupt:
        from backtrail.cli.show.console import err

        err.print("Stopped. Finished questions are kept; run the same command again to continue.")
        raise
