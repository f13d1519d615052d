"""Mutation testing: which of 200 faults in nodes/, state/, tools/corpus/ and server/ the tests find.

    pip install cosmic-ray pytest-cov
    python -m campaigns.mutants map                        which tests (PATHS, or all below) run which lines
    python -m campaigns.mutants sample                     draw new mutants into sample.json, with a fixed seed
    python -m campaigns.mutants run base.jsonl             try each; resumes a stopped run
    python -m campaigns.mutants compare base.jsonl after.jsonl

A mutant is a line of a function with one operator, number or exception changed. Run ``map`` and ``run`` before and
after a change of the tests, with one sample; ``compare`` names the mutants that only the earlier tests find, with exit
status 1 if there are any. A mutant is identified by the text of its line. No file is changed, only the functions in the
process that runs the tests. Only tests that run in this process are mapped: all of tests/unit, and of
tests/integration the files that start no servers or processes and load no models.
"""
