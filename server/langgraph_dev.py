"""``langgraph dev`` without what it says of itself: ``python -m backtrail.server.langgraph_dev dev …``."""

from __future__ import annotations

import logging


def main() -> None:
    """Run it; what its log's level lets pass is told as before."""
    from langgraph_cli.cli import cli

    logging.getLogger("langgraph_api.cli").setLevel(logging.WARNING)  # its banner, at any level of the log
    cli()


if __name__ == "__main__":
    main()
