"""A hub that can't be reached is reported of at once, and not asked again and again."""

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from huggingface_hub import constants

from labeler.core.errors import EnvironmentFault
from labeler.core.models.scoring import ModelSpec
from labeler.scoring.model_loader import load_model
from labeler.scoring.weight_sources import hub_if_reachable, is_reachable


@pytest.fixture
def port() -> Iterator[int]:
    """A port of this machine that takes connections."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def test_a_hub_that_takes_a_connection_is_asked(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{port}")
    with hub_if_reachable() as answers:
        assert (answers, constants.HF_HUB_OFFLINE) == (True, False)


def test_a_hub_behind_a_proxy_is_sought_there(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", "https://hub.invalid")
    monkeypatch.setenv("https_proxy", f"127.0.0.1:{port}")
    monkeypatch.delenv("no_proxy", raising=False)
    with hub_if_reachable() as answers:
        assert answers


def test_what_a_silent_hub_gave_before_is_all_that_is_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{closed_port()}")
    with hub_if_reachable() as answers:
        assert (answers, constants.HF_HUB_OFFLINE) == (False, True)
    assert not constants.HF_HUB_OFFLINE


def test_without_a_hub_the_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{closed_port()}")
    result = r"127\.0\.0\.1 doesn't answer.*as a checkpoint.*tf_efficientnet_lite0"
    with pytest.raises(EnvironmentFault, match=result):
        load_model(ModelSpec(model="test_resnet.r160_in1k", name="x"))


def test_no_one_waits_for_a_name_that_is_none() -> None:
    assert not is_reachable(urlsplit("https://hub.invalid"), seconds=1)
