"""Files that are broken or mean harm, for every kind that ingestion reads, each tried in a process of its own.

    python -m campaigns.hostile                                  every case, and mutations up to 2,000 files
    python -m campaigns.hostile --only .pdf                      cases whose name contains this
    python -m campaigns.hostile --files 5000 --json kept.jsonl   more mutations; an ended run goes on with the same file

Where the system allows it, the processes that read have no network at all (``unshare``). Exit status 1 if anything was
neither read nor refused, opened what it must not, or asked an address.

``make test`` tries one case of four and forty mutations (``tests/unit/ingest/test_hostile_campaign.py``).
"""
