"""Load test of a hosted server with killed processes and database: lost runs and repeated calls.

    PYTHONPATH=tests:benchmarks python -m hosted_load                       # 50 users, 4 processes, 5 minutes
    PYTHONPATH=tests:benchmarks python -m hosted_load --users 6 --servers 2 --lasts 20 --every 4

Everything is on loopback and ends with the program: aegra as ``backtrail serve`` starts it, its own Postgres and Redis,
and a scripted model with a latency that records every call.
"""
