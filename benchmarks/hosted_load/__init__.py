"""Many users of a hosted server whose processes and database die under them: what is lost, and what is paid twice.

    PYTHONPATH=tests:benchmarks python -m hosted_load                       # 50 users, 4 processes, 5 minutes
    PYTHONPATH=tests:benchmarks python -m hosted_load --users 6 --servers 2 --lasts 20 --every 4

Everything is on loopback and ends with the program: aegra as ``backtrail serve`` starts it, a Postgres and a Redis of
its own, and a model that answers from a script after a while and writes down every call.
"""
