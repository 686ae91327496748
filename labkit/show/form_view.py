"""A form in the browser, answered by keyboard or mouse.

Messages: the view sends ``{t: "look", id}`` once, and ``{t: "answer", id, answers}`` with a list of
``{field, value, sure, drawn}``. Each is answered with one ``data`` message that holds all there is
to show, so a reload or a second view needs no memory in the browser.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import anywidget
import traitlets

from labkit.record import LabkitError
from labkit.record.plain_text import one_line
from labkit.show.form import Form
from labkit.show.markup import element, joined
from labkit.show.page import browser_files, sendable

# `make` and `say` of view.js, the colours' theme, then the form itself
# with its pad.
SCRIPTS = ("view.js", "theme.js", "keys.js", "pad.js", "form.js")
STYLES = ("panel.css", "form.css")


class FormView(anywidget.AnyWidget):
    """The form as a widget; display it in the cell that made it.

    Args:
        form: What is asked, and who takes the answers.
    """

    _esm = browser_files(*SCRIPTS)
    _css = browser_files(*STYLES)
    _facts = traitlets.Dict().tag(sync=True)
    # ipywidgets 7 would display through this method and leave out the words for other viewers.
    _ipython_display_ = None

    def __init__(self, form: Form) -> None:
        self._form = form
        self._turn = threading.RLock()
        facts = {
            "title": form.title,
            "button": form.button,
            "fields": [asdict(field) for field in form.fields],
        }
        super().__init__(_facts=sendable(facts))
        self.on_msg(self._on_message)

    def _on_message(self, _widget: object, message: object, _buffers: object) -> None:
        if not isinstance(message, Mapping):
            return
        with self._turn:
            errors = []
            for each in message.get("answers", ()):
                try:
                    self._form.answer(
                        each["field"], each.get("value"), each.get("sure"), drawn=each.get("drawn")
                    )
                except LabkitError as error:
                    errors.append(str(error))
                except Exception as error:
                    errors.append(
                        f"Something went wrong inside labkit ({type(error).__name__}: {error}); "
                        "please report it."
                    )
            told = {"t": "data", "id": message.get("id"), "error": " ".join(errors), **self._now()}
            self.send(sendable(told))

    def _now(self) -> dict[str, Any]:
        told = [self._form.told(place) for place in range(len(self._form.fields))]
        return {
            "said": self._form.said,
            "told": [None if each is None else asdict(each) for each in told],
        }

    def _repr_mimebundle_(self, **keywords: Any) -> Any:
        bundle = super()._repr_mimebundle_(**keywords)
        if bundle is not None:
            bundle[0]["text/html"] = self._static_html()
            bundle[0]["text/plain"] = f"{one_line(self._form.title)}: run this cell to answer."
        return bundle

    def _static_html(self) -> str:
        """The questions for viewers without a kernel."""
        asked = []
        for field in self._form.fields:
            asked.append(element("p", field.ask))
            if field.choices:
                asked.append(element("ul", *(element("li", choice) for choice in field.choices)))
        return element("p", element("strong", self._form.title)) + joined(asked)
