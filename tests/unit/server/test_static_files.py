"""Scripts and styles of the page, asked for by names that no file can have."""

import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from backtrail.server.ui.pages import NoSuchPage
from backtrail.server.ui.routes import static


@pytest.mark.parametrize("name", ["x" * 5000, "é" * 200, "%00", "..", "%2e%2e%2froutes.py", "fonts", "no.css"])
def test_a_name_that_no_file_has_is_not_found(name):
    app = Starlette(
        routes=[Route("/ui/static/{asset}", static), Route("/ui/static/fonts/{font}", static)],
        exception_handlers={NoSuchPage: lambda request, error: Response(status_code=404)},
    )
    with TestClient(app) as client:
        assert client.get("/ui/static/ui.css").status_code == 200
        assert client.get(f"/ui/static/{name}").status_code == 404
        assert client.get(f"/ui/static/fonts/{name}").status_code == 404
