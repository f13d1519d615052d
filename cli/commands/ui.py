"""backtrail ui: serve the page to the browser of this machine."""

from __future__ import annotations

from typing import Annotated

import typer

PORT = 8321
HOST = "127.0.0.1"
_APP = "backtrail.server.ui.local_app:app"
"""By name, because ``cli`` may not import ``server``."""


def ui(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on this machine; 0 chooses a free one.")] = PORT,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
) -> None:
    """Ask questions, watch runs, read sources and manage runs and corpora in a browser.

    The page is served to this machine only. A run interrupted by closing it can be resumed later.
    """
    import socket

    import uvicorn

    from backtrail.cli.show.console import err
    from backtrail.tools.errors import SettingsError
    from backtrail.tools.home_errors import check_home

    check_home()
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise SettingsError(f"Port {port} cannot be used: {error.strerror}. Choose another: --port 0") from error
    address = f"http://{HOST}:{listening.getsockname()[1]}/ui"
    err.print(f"Page: [bold]{address}[/] (stop with Ctrl-C)", soft_wrap=True)
    if browser:
        import webbrowser

        webbrowser.open(address)
    config = uvicorn.Config(_APP, factory=True, log_level="warning", timeout_graceful_shutdown=2, server_header=False)
    uvicorn.Server(config).run(sockets=[listening])
