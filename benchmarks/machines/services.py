"""Services of the machine ``store``: PostgreSQL and an object store. ``python services.py ADDRESS``."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path += [str(Path(__file__).parents[2] / "tests")]

from fixtures.postgres import binaries
from loopback.object_store import ObjectStore


def start_postgres(place: Path) -> None:
    """Start a PostgreSQL cluster that listens to all machines, on port 5432."""
    programs = binaries()
    if programs is None:
        raise SystemExit("PostgreSQL is not installed.")
    place.mkdir()
    shutil.chown(place, "postgres")
    place.parent.chmod(0o755)
    cluster = place / "cluster"
    as_other = ["runuser", "-u", "postgres", "--"]
    make = [str(programs / "initdb"), "-D", str(cluster), "-U", "tests", "-A", "trust", "--no-sync"]
    subprocess.run([*as_other, *make], check=True, stdout=subprocess.DEVNULL, cwd="/")
    with (cluster / "pg_hba.conf").open("a") as rules:
        rules.write("host all all 10.77.0.0/16 trust\n")
    options = f"-c listen_addresses=* -c unix_socket_directories={place} -c fsync=off"
    control = [str(programs / "pg_ctl"), "-D", str(cluster), "-w", "-l", str(place / "log"), "-o", options, "start"]
    subprocess.run([*as_other, *control], check=True, stdout=subprocess.DEVNULL, cwd="/")


def main() -> None:
    """Start both, print the address of the object store, and serve."""
    start_postgres(Path("/mnt/home/postgres"))
    with ObjectStore(sys.argv[1]) as store:
        print(store.port, flush=True)
        for line in sys.stdin:  # each line is a word: print how many objects contain it
            having = [path for path, content in dict(store.objects).items() if line.strip().encode() in content]
            print(len(having), flush=True)
        time.sleep(1)


if __name__ == "__main__":
    main()
