"""Broken and harmful files of every type that ingestion reads, each tried in a new process.

    python -m campaigns.hostile                                  every case, and mutations up to 2,000 files
    python -m campaigns.hostile --only .pdf                      cases whose name contains this
    python -m campaigns.hostile --files 5000 --json kept.jsonl   more mutations; the same file resumes a stopped run

If the system allows it, the reading processes have no network (``unshare``). The exit status is 1 if a file was neither
read nor refused, or if reading it opened a forbidden file or contacted an address.

``make test`` tries one case of four and forty mutations (``tests/unit/ingest/test_hostile_campaign.py``).
"""
