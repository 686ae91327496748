"""The values for a class on Kubernetes: what each learner gets, and who comes in.

Tier: make test-full.
"""

from __future__ import annotations

import asyncio
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from jupyter_core.paths import SYSTEM_CONFIG_PATH
from traitlets.config import Config, PyFileConfigLoader

from tests.hub.chart import TOLERATIONS, config_of
from tests.hub.pods import CARD, GIB, MISSING, ROOT, pod, read_values, server

PAGE = ROOT / "docs" / "kubernetes.md"
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(find_spec("kubespawner") is None, reason=MISSING),
]


@pytest.fixture
def values() -> dict[str, Any]:
    return read_values()


@pytest.fixture
def config(values: dict[str, Any]) -> Config:
    return config_of(values)


def test_who_chooses_nothing_gets_the_processor_and_what_the_page_says(config: Config) -> None:
    made = server(pod(config))
    assert made["resources"] == {
        "limits": {"memory": 2 * GIB, "cpu": 2},
        "requests": {"memory": 1.5 * GIB, "cpu": 0.4},
    }
    assert made["image"] == "registry.example.org/labkit:1"
    assert pod(config) == pod(config, profile="processor")


def test_who_chooses_the_card_gets_one_and_the_build_for_it(config: Config) -> None:
    whole = pod(config, profile="card")
    made = server(whole)
    assert made["resources"]["limits"] == {"memory": 8 * GIB, "cpu": 2, CARD: "1"}
    assert made["resources"]["requests"] == {"memory": 4 * GIB, "cpu": 0.4}
    assert made["image"] == "registry.example.org/labkit-gpu:1"
    assert [each["key"] for each in whole["tolerations"]] == [CARD]


def test_no_other_pod_asks_for_a_card_or_stands_where_cards_are(config: Config) -> None:
    assert CARD not in str(pod(config))
    assert pod(config)["tolerations"] == TOLERATIONS


def test_a_profile_that_is_not_listed_is_refused(config: Config) -> None:
    with pytest.raises(ValueError, match="No such profile: two-cards"):
        pod(config, profile="two-cards")


def test_a_learner_cannot_ask_for_more_than_a_profile_has(config: Config) -> None:
    asked = {"profile": "processor", "mem_limit": "64G", "image": "anything", CARD: "8"}
    assert pod(config, **asked) == pod(config)


def test_the_home_is_a_disk_of_the_learners_own(config: Config) -> None:
    made = pod(config)
    (home,) = [each for each in server(made)["volumeMounts"] if each["name"] != "files"]
    claims = {each["name"]: each.get("persistentVolumeClaim") for each in made["volumes"]}
    assert claims[home["name"]] is not None
    assert "mock-name" in claims[home["name"]]["claimName"]


def test_shared_memory_is_left_as_it_is(config: Config) -> None:
    assert "/dev/shm" not in str(pod(config))


@pytest.fixture
def one_server() -> Config:
    return PyFileConfigLoader(str(ROOT / "docs" / "hub" / "jupyterhub_config.py")).load_config()


def test_a_learner_has_the_limits_of_one_server_and_labkit_is_told(
    config: Config, one_server: Config
) -> None:
    assert config.KubeSpawner.mem_limit == one_server.Spawner.mem_limit
    assert config.KubeSpawner.cpu_limit == one_server.Spawner.cpu_limit
    assert config.Spawner.default_url == one_server.Spawner.default_url
    told = {each["name"]: each["value"] for each in server(pod(config))["env"]}
    assert (told["MEM_LIMIT"], told["CPU_LIMIT"]) == (str(2 * GIB), "2.0")


def test_an_unused_kernel_and_an_unused_server_end_as_on_one_server(
    values: dict[str, Any], one_server: Config
) -> None:
    (file,) = values["singleuser"]["extraFiles"].values()
    path = Path(file["mountPath"])
    assert str(path.parent) in SYSTEM_CONFIG_PATH and path.name == "jupyter_server_config.json"
    flags = [
        f"--{section}.{name}={value}"
        for section, settings in file["data"].items()
        for name, value in settings.items()
    ]
    flags.append(f"--ServerApp.shutdown_no_activity_timeout={values['cull']['timeout']}")
    assert flags == one_server.Spawner.args


def enters(config: Config, name: str, password: str) -> bool:
    """Tell whether the hub lets somebody in, as the authenticator that it loads decides."""
    from jupyterhub.app import JupyterHub

    kind = JupyterHub(config=config).authenticator_class
    asked = {"username": name, "password": password}
    found = asyncio.run(kind(config=config).get_authenticated_user(None, asked))
    return found is not None


@pytest.fixture
def passwords(config: Config) -> Config:
    """The values as they are once the command of the page has added both passwords."""
    names = re.findall(r"--set-string hub\.config\.(\w+)\.(\w+)=", PAGE.read_text(encoding="utf-8"))
    lengths = {"user_password": 16, "admin_password": 64}  # as openssl draws them
    assert {name for _, name in names} == set(lengths)
    for section, name in names:
        config[section][name] = name[0] * lengths[name]
    return config


def test_who_knows_the_password_of_the_class_comes_in(passwords: Config) -> None:
    assert enters(passwords, "ada", "u" * 16)
    assert not enters(passwords, "ada", "guessed-it")


def test_the_teacher_comes_in_with_the_other_password_only(passwords: Config) -> None:
    assert enters(passwords, "teacher", "a" * 64)
    assert not enters(passwords, "teacher", "u" * 16)
    assert not enters(passwords, "ada", "a" * 64)


def test_without_passwords_nobody_comes_in(config: Config) -> None:
    assert not enters(config, "ada", "") and not enters(config, "teacher", "")


@pytest.mark.parametrize(
    ("section", "wrong"),
    [
        ("singleuser", {"memory": {"limits": "2G"}}),
        ("singleuser", {"profiles": []}),
        ("singleuser", {"image": {"tag": 1}}),
        ("hub", {"config.JupyterHub": 1}),
    ],
)
def test_a_setting_that_the_chart_does_not_know_is_found(
    values: dict[str, Any], section: str, wrong: dict[str, Any]
) -> None:
    config_of(values)
    with pytest.raises(ValueError, match=f"The chart .* {section}"):
        config_of({**values, section: {**values[section], **wrong}})
