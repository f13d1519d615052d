"""Machines as namespaces for network, mounts, processes and host name, behind one router."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

OWN = "BACKTRAIL_MACHINES"
REPOSITORY = Path(__file__).resolve().parents[2]
VOLUME = "/mnt/volume"
_IN = ["unshare", "--net", "--mount", "--uts", "--pid", "--ipc", "--fork", "--kill-child", "--mount-proc"]


def enter() -> None:
    """Move this process to an isolated network, which ends with it. Needs root."""
    if OWN not in os.environ:
        os.environ[OWN] = "router"
        os.execvp("unshare", ["unshare", "--net", "--mount", "--fork", "--kill-child", sys.executable, *sys.argv])
    _run("mount", "--make-rprivate", "/")
    _run("ip", "link", "set", "lo", "up")
    Path("/proc/sys/net/ipv4/ip_forward").write_text("1")


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


class Machine:
    """A machine with an address, its own /tmp and home, and a shared volume at /mnt/volume.

    Args:
        place: folder of its disk.
        clock: seconds that its clock is ahead (``libfaketime``).
    """

    def __init__(self, name: str, number: int, place: Path, clock: int = 0) -> None:
        self.name, self.address, self.clock = name, f"10.77.{number}.2", 0
        (place / name / "tmp").mkdir(parents=True)
        (place / name / "home").mkdir()
        (place / "volume").mkdir(exist_ok=True)
        self._holder = subprocess.Popen([*_IN, "sleep", "infinity"])
        children = Path(f"/proc/{self._holder.pid}/task/{self._holder.pid}/children")
        while not (found := children.read_text().split()):
            time.sleep(0.02)
        self._first = found[0]
        self._cable = f"to-{name}"
        _run("ip", "link", "add", self._cable, "type", "veth", "peer", "name", "eth0", "netns", self._first)
        self._router = f"10.77.{number}.1"
        _run("ip", "addr", "add", f"{self._router}/24", "dev", self._cable)
        _run("ip", "link", "set", self._cable, "up")
        self._set_up(place)
        self.clock = clock

    def _set_up(self, place: Path) -> None:
        keep = [str(REPOSITORY)] if REPOSITORY.is_relative_to("/tmp") else []
        steps = [
            f"hostname {self.name}; ip link set lo up",
            f"ip addr add {self.address}/24 dev eth0; ip link set eth0 up; ip route add default via {self._router}",
            "mount -t tmpfs none /dev/shm; mount -t tmpfs none /mnt; mkdir /mnt/volume /mnt/home /mnt/kept",
            f"mount --bind {place}/volume /mnt/volume; mount --bind {place / self.name}/home /mnt/home",
            *(f"mount --bind {folder} /mnt/kept" for folder in keep),
            f"mount --bind {place / self.name}/tmp /tmp; chmod 1777 /tmp",
            *(f"mkdir -p {folder}; mount --bind /mnt/kept {folder}" for folder in keep),
        ]
        self.run("sh", "-ec", "; ".join(steps))

    def command(self, *given: str, **environment: str) -> tuple[list[str], dict[str, str]]:
        """Return a command as it runs there, and its environment."""
        own = {"HOME": "/mnt/home", "BACKTRAIL_HOME": "/mnt/home/backtrail", "TMPDIR": "/tmp", **environment}
        inside = ["nsenter", "-t", self._first, "-n", "-m", "-u", "-p", "-i", "--wd=/", "--"]
        if self.clock:
            inside += ["env", "FAKETIME_DONT_FAKE_MONOTONIC=1", "faketime", "-f", f"{self.clock:+d}s"]
        return [*inside, *given], os.environ | own

    def run(self, *given: str, **environment: str) -> str:
        """Run a command there; return its output."""
        command, own = self.command(*given, **environment)
        return subprocess.run(command, env=own, check=True, stdout=subprocess.PIPE, text=True).stdout

    def start(self, *given: str, **environment: str) -> subprocess.Popen[str]:
        """Start a command there, with line-buffered output."""
        command, own = self.command(*given, **environment)
        return subprocess.Popen(command, env=own, stdout=subprocess.PIPE, text=True)

    def cut(self) -> None:
        """Make the router silently drop all its packets."""
        _run("ip", "rule", "add", "iif", self._cable, "blackhole")
        _run("ip", "route", "add", "blackhole", f"{self.address}/32")

    def mend(self) -> None:
        """Let packets pass again."""
        _run("ip", "rule", "del", "iif", self._cable, "blackhole")
        _run("ip", "route", "del", "blackhole", f"{self.address}/32")

    def lose(self) -> None:
        """Cut the power: kill all processes and drop packets without notice."""
        self.cut()
        self.end()

    def end(self) -> None:
        """Kill all its processes."""
        self._holder.kill()
        self._holder.wait()
