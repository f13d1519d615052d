"""``langgraph dev`` without its banner: ``python -m backtrail.server.langgraph_dev dev …``."""

from __future__ import annotations

import logging


def main() -> None:
    """Run ``langgraph`` with its log level unchanged."""
    from langgraph_cli.cli import cli

    logging.getLogger("langgraph_api.cli").setLevel(logging.WARNING)  # logs the banner
    cli()


if __name__ == "__main__":
    main()
