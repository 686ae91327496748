"""axe-core on a page: what it finds wrong for a keyboard, a screen reader or weak eyes."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# A cell's output is a piece of somebody else's page, which has the landmarks and the headings.
OF_A_WHOLE_PAGE = ("landmark-one-main", "page-has-heading-one", "region", "bypass")


def violations(page: Page, within: str | None = None, *, whole: bool = False) -> list[str]:
    """Return what axe-core finds on a page, a sentence each.

    Args:
        page: As it stands; what is hidden is not looked at.
        within: The elements to look at; by default all.
        whole: Whether the page is ours from its first line, so that its frame is ours as well.
    """
    rules = {name: {"enabled": whole} for name in OF_A_WHOLE_PAGE}
    # No preloading: it would ask the network for style sheets.
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False, "rules": rules}
    found = Axe().run(page, within, options).response
    assert found["passes"], "axe found nothing to look at"
    return [
        f"{each['id']}: {each['help']}: {node['html'][:160]}: {node['failureSummary']}"
        for each in found["violations"]
        for node in each["nodes"]
    ]
