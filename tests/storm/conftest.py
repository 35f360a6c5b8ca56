# SPDX-License-Identifier: BSD-3-Clause
"""Options and the fixture of the storms: how long, and with which seed.

    VM_KERNEL=6.12-debug pytest tests/storm             as in a test run (stock kernel without VM_KERNEL)
    pytest tests/storm/test_soak.py --storm-seconds 0   until Ctrl-C
"""

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "vm"))

from lib.storm import Storm  # noqa: E402 # pylint: disable=wrong-import-position


def pytest_addoption(parser):
    """The storms' own options."""
    group = parser.getgroup("storms")
    group.addoption("--storm-seconds", type=float, metavar="N",
                    help="how long a storm lasts; 0: until Ctrl-C (default: what each has in a test run)")
    group.addoption("--storm-seed", type=int, metavar="N", help="repeat the choices of an earlier storm")


def pytest_configure(config):
    """The storms' own mark."""
    config.addinivalue_line("markers", "storm(seconds): how long this storm lasts in a test run")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Tells the fixture how its test went."""
    outcome = yield
    if call.when == "call":
        item.storm_outcome = outcome.get_result().outcome


@pytest.fixture(name="storm")
def fixture_storm(request):
    """One storm, see lib.storm; @pytest.mark.storm(seconds=N) gives its length in a test run."""
    mark = request.node.get_closest_marker("storm")
    seconds = request.config.getoption("--storm-seconds")
    if seconds is None:
        seconds = mark.kwargs["seconds"] if mark else Storm.SECONDS
    seed = request.config.getoption("--storm-seed")
    if seed is None:
        seed = random.SystemRandom().randrange(1 << 32)
    capture = request.config.pluginmanager.getplugin("capturemanager")

    def say(text):
        with capture.global_and_fixture_disabled():
            print(f"\n{text}", end=" ", flush=True)

    storm = Storm(request.node.name, seed, seconds, say)
    yield storm
    storm.end(getattr(request.node, "storm_outcome", "stopped"))
