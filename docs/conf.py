"""How Sphinx builds the site: `make docs` writes it to build/docs, and no network is needed.

The source folder is the whole project and not docs/: so the notebooks are pages without a copy of
them, and a link leads on the site where it leads on GitHub.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from types import ModuleType, SimpleNamespace

from sphinx.application import Sphinx

import labkit

project = "labkit"
version = release = labkit.__version__
language = "en"

root_doc = "docs/index"
include_patterns = ["docs/**", "notebooks/*", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
# Sphinx walks through every folder that is not named here, an environment with its packages too.
# What stands in docs/measured is a part of other pages.
exclude_patterns = [
    ".*", "**/.*", "bench-out", "binder", "build", "dist", "docs/measured", "labkit", "test-out",
    "tests", "tools",
]  # fmt: skip
templates_path = ["_templates"]

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

# Notebooks are stored without outputs, and shown as they are stored.
nb_execution_mode = "off"
# Else a page with a widget would ask a server elsewhere for its JavaScript.
nb_ipywidgets_js: dict[str, dict[str, str]] = {}
myst_heading_anchors = 3
# What has no language of its own is what a terminal says, and no Python.
highlight_language = "none"

autodoc_member_order = "bysource"
# A word in single backticks is mostly an argument, and there is nothing to link to.
default_role = "code"
add_module_names = False
toc_object_entries_show_parents = "hide"
python_use_unqualified_type_names = True
python_display_short_literal_types = True
python_maximum_signature_line_length = 88

nitpicky = True
# The page tells of all that labkit.record and labkit.cause hand out. What lies deeper is for who
# reads the source, and the standard library's pages are on the network.
nitpick_ignore_regex = [
    ("py:.*", r"labkit\.(bench|claims|course|lab|show|stats)\..*"),
    ("py:.*", r"(collections|os|pathlib|types)\..*"),
    # Named without their modules, because these are imported for the type checker alone.
    ("py:(class|exc)", r"Picture|array|ExposedError"),
    # The kinds of proof and the parts of a verdict: each stands in one file, for who reads that.
    ("py:class", r"labkit\.record\.(proof|verdict)\..*"),
]

html_theme = "furo"
html_title = f"labkit {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_additional_pages = {"index": "start.html"}
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_domain_indices = False
html_theme_options = {
    # The panel's blue, in light and in dark.
    "light_css_variables": {"color-brand-primary": "#00628f", "color-brand-content": "#00628f"},
    "dark_css_variables": {"color-brand-primary": "#56b4e9", "color-brand-content": "#56b4e9"},
    "top_of_page_buttons": [],
}


def home() -> str:
    """Return the project's address, as pyproject.toml has it."""
    text = (Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    address: str = tomllib.loads(text)["project"]["urls"]["Homepage"]
    return address


def stay_here(app: Sphinx, docname: str, source: list[str]) -> None:
    """Turn the project's own addresses into links between pages: notebooks must have whole ones.

    Args:
        app: Not used.
        docname: The page that is read.
        source: Its text, as the only entry.
    """
    source[0] = source[0].replace(f"{home()}/blob/v{release}/", "../" * docname.count("/"))


def without_factory(
    app: Sphinx,
    what: str,
    name: str,
    thing: object,
    options: object,
    signature: str | None,
    returns: str | None,
) -> tuple[str | None, str | None]:
    """Put an ellipsis where a dataclass makes a default anew, else the signature is no Python."""
    return (signature or "").replace("<factory>", "...") or signature, returns


def setup(app: Sphinx) -> None:
    """Let Sphinx call what stands above, and keep Keras away.

    One class has its base from there, and loading it would take longer than all else.
    """
    sys.modules["keras"] = keras = ModuleType("keras")
    keras.__dict__["callbacks"] = SimpleNamespace(Callback=object)
    app.connect("source-read", stay_here)
    app.connect("autodoc-process-signature", without_factory)
