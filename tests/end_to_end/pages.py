"""Pages in a real browser: opened from disk, moved, and read back."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

FLAGS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-gpu-rasterization",
    "--disable-gpu-compositing",
    "--no-first-run",
]
NO_WEBGL = """
const get = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  return String(kind).startsWith("webgl") ? null : get.call(this, kind, ...rest);
};
"""


@dataclass
class Opened:
    """A page in the browser, and what went wrong on it."""

    page: Any
    troubles: list[str] = field(default_factory=list)

    def data(self, name: str) -> str:
        """Return a data- attribute of the document's body."""
        return str(self.page.evaluate("name => document.body.dataset[name] ?? ''", name))

    def time(self) -> float:
        return float(self.data("time"))

    def wait_for(self, condition: str) -> None:
        self.page.wait_for_function(f"() => {condition}", timeout=60_000)


Opener = Callable[..., Opened]
"""Opens a page of something, with the arguments of `open_file` after its path."""


def open_file(browser: Any, path: Path, script: str = "", fragment: str = "", **settings: Any) -> Opened:
    """Open a page from disk, at a fragment of it, and wait until it is ready."""
    context = browser.new_context(**({"viewport": {"width": 1100, "height": 760}} | settings))
    page = context.new_page()
    result = Opened(page)
    page.on("console", lambda said: note(result, said.type in ("error", "warning"), f"console: {said.text}"))
    page.on("pageerror", lambda error: result.troubles.append(f"error: {error}"))
    page.on("dialog", lambda dialog: result.troubles.append(f"dialog: {dialog.message}"))
    page.on("request", lambda r: note(result, not r.url.startswith(("file:", "data:", "blob:")), r.url))
    if script:
        page.add_init_script(script)
    page.goto(path.as_uri() + fragment)
    page.wait_for_selector("body[data-ready=true]", timeout=60_000)
    return result


def note(opened: Opened, wrong: bool, text: str) -> None:
    if wrong and "GPU stall" not in text:  # what a driver says about reading a picture back
        opened.troubles.append(text)


def picture(opened: Opened) -> np.ndarray[Any, Any]:
    """Return what WebGL has drawn as an array of colours."""
    from PIL import Image

    address = str(opened.page.locator("canvas.canvas").evaluate("canvas => canvas.toDataURL()"))
    return np.asarray(Image.open(BytesIO(base64.b64decode(address.partition(",")[2]))).convert("RGB"))


def settle(opened: Opened) -> None:
    """Wait until what was asked for has been drawn."""
    opened.page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def set_slider(opened: Opened, time: float) -> None:
    move = "(slider, time) => { slider.value = time; slider.dispatchEvent(new Event('input', {bubbles: true})); }"
    opened.page.locator("input.slider").evaluate(move, time)
