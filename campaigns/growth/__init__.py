"""Measure how the processor time of all code that reads a text grows with its length.

    python -m campaigns.growth                            everything, in two processes
    python -m campaigns.growth --only rules. --only .md   targets whose name contains one of these
    python -m campaigns.growth --shape spaces --jobs 1    one shape of text

Each rule, each function of ``language``, ``rules`` and ``ingest`` that takes plain text, and each parser reads texts of
more than fifty shapes at 1,000, 8,000 and 64,000 characters, and pages and tables of growing size. An exponent is the
logarithm to base 8 of the ratio of the processor times at 64,000 and 8,000 characters, each the shortest of several: 1
is linear, 2 quadratic. The campaign prints every exponent above the bound; the exit status is 1 if there is one.

``make test`` measures no time: it checks that no searched regular expression begins with an unbounded repeat, and that
long runs of white space are cut where text enters. Run the campaign when a rule, a parser or the shapes change.
"""
