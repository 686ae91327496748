"""A form as a notebook shows it: live where widgets are, else as lines to answer in code."""

from __future__ import annotations

from typing import Any

from labkit.lab.kernel import live_mode
from labkit.show.form import Form


class Asked(Form):
    """A form that a cell can end with; `__str__` says how to answer it in code."""

    _view: Any = None

    def _repr_mimebundle_(self, **keywords: Any) -> Any:
        if live_mode() != "panel":
            return {"text/plain": str(self)}
        if self._view is None:
            from labkit.show.form_view import FormView

            self._view = FormView(self)
        return self._view._repr_mimebundle_(**keywords)
