"""The demo's page: SimCord's page with a bar that shows the time and lets time pass."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final

from aiohttp import web
from simcord.preview._server import PreviewServer

_OWN: Final = {
    "/passing.js": "application/javascript",
    "/comfort.js": "application/javascript",
    "/passing.css": "text/css",
}
_SCRIPTS: Final = ("passing", "comfort")
_ADDED: Final = {
    "</head>": '<link rel="stylesheet" href="/passing.css"></head>',
    "</body>": "".join(f'<script type="module" src="/{name}.js"></script>' for name in _SCRIPTS) + "</body>",
}


class PageServer(PreviewServer):
    """Serves SimCord's page with the bar that shows the time and lets time pass."""

    _STATIC_FILES = PreviewServer._STATIC_FILES | {path: path.removeprefix("/") for path in _OWN}

    async def _index(self, request: Any) -> Any:
        response = await super()._index(request)
        for place, added in _ADDED.items():
            response.text = response.text.replace(place, added)
        return response

    async def _static(self, request: Any) -> Any:
        if request.path not in _OWN or request.headers.get("Host", "") not in self._allowed_hosts():
            return await super()._static(request)
        text = files(__name__).joinpath(self._STATIC_FILES[request.path]).read_text(encoding="utf-8")
        return web.Response(text=text, content_type=_OWN[request.path], headers=self._SECURITY_HEADERS)
