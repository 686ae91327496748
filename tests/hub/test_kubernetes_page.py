"""The page about a class on Kubernetes says what the values say, and its commands and link fit.

Tier: make test-full.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from importlib.util import find_spec
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest
from traitlets.config import Config

from tests.hub.chart import config_of
from tests.hub.pods import CARD, GIB, MISSING, ROOT, VALUES, pod, read_values, server

PAGE = (ROOT / "docs" / "kubernetes.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(find_spec("kubespawner") is None, reason=MISSING),
]


@pytest.fixture
def config() -> Config:
    return config_of(read_values())


def test_the_table_of_the_page_says_what_the_values_say(config: Config) -> None:
    rows = dict(re.findall(r"^\| ([^|]+?) \| (\S.*) \|$", PAGE, re.MULTILINE))
    each = [server(pod(config, profile=name))["resources"] for name in ("processor", "card")]

    def row(of: str, what: str, unit: float = 1, name: str = "") -> str:
        return " | ".join(f"{float(made[of].get(what, 0)) / unit:g}{name}" for made in each)

    assert rows["memory, at most"] == row("limits", "memory", GIB, " GB")
    assert rows["memory that a node keeps free for them"] == row("requests", "memory", GIB, " GB")
    assert rows["processors, at most"] == row("limits", "cpu")
    assert rows["processors that a node keeps free for them"] == row("requests", "cpu")
    assert rows["NVIDIA cards"] == row("limits", CARD)
    assert config.KubeSpawner.storage_capacity == "2Gi" and "| 2 GB | 2 GB |" in PAGE


def image_commands() -> list[dict[str, str]]:
    """Return the flags of each command of the page that makes an image."""
    text = PAGE.replace("\\\n", " ")
    commands = [shlex.split(line) for line in text.splitlines() if line.startswith("repo2docker ")]
    assert len(commands) == 2 and all(words[-1] == "." for words in commands)
    return [
        {flag: value for flag, value in pairwise(words) if flag[:2] == "--"} for words in commands
    ]


def test_the_commands_make_the_images_of_the_two_profiles(config: Config) -> None:
    plain, cuda = image_commands()
    assert plain["--image-name"] == server(pod(config))["image"]
    assert cuda["--image-name"] == server(pod(config, profile="card"))["image"]
    # The link needs it in either, and there is one TensorFlow in each.
    assert all("nbgitpuller" in each["--appendix"] for each in (plain, cuda))
    assert "tensorflow" not in plain["--appendix"]
    removed, _, added = cuda["--appendix"].partition(" && ")
    assert removed == "RUN pip uninstall --yes tensorflow-cpu"
    assert '".[gpu]"' in added and "gpu" in PROJECT["optional-dependencies"]


def test_the_user_of_the_images_is_the_one_whose_pod_it_is(config: Config) -> None:
    made = server(pod(config))
    (home,) = [each["mountPath"] for each in made["volumeMounts"] if each["name"] != "files"]
    number = str(made["securityContext"]["runAsUser"])
    for flags in image_commands():
        assert (flags["--user-id"], f"/home/{flags['--user-name']}") == (number, home)


def test_helm_is_given_the_file_that_the_page_shows() -> None:
    shown = re.findall(r"^```\{literalinclude\} (\S+)$", PAGE, re.MULTILINE)
    given = re.findall(r"--values (\S+)", PAGE)
    assert [ROOT / "docs" / path for path in shown] == [VALUES] == [ROOT / path for path in given]


def test_the_link_leads_over_the_hub_to_a_notebook_of_the_project() -> None:
    (link,) = re.findall(r"^https://\S+/git-pull\?\S+$", PAGE, re.MULTILINE)
    parts = urlsplit(link)
    assert [parts.hostname] == read_values()["proxy"]["https"]["hosts"]
    assert parts.path == "/hub/user-redirect/git-pull"
    asked = {name: one for name, (one,) in parse_qs(parts.query, strict_parsing=True).items()}
    assert asked.pop("repo") == PROJECT["urls"]["Homepage"]
    opened = asked.pop("urlpath").removeprefix("lab/tree/labkit/")
    assert (ROOT / opened).is_file() and opened.endswith(".ipynb")
    assert asked == {"branch": "main"}
