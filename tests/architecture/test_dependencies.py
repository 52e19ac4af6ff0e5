"""Every library that the project imports is declared, and pinned for installs that can be repeated."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OWN = ("adapters", "bot", "engine")
LOCK = (ROOT / "requirements.lock").read_text()


def imported(*rooms: str) -> set[str]:
    """The top-level modules of others that these folders import."""
    modules = set[str]()
    for path in (path for room in rooms for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                modules |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules.add(node.module)
    return {module.partition(".")[0] for module in modules} - sys.stdlib_module_names - {*OWN, "tests"}


def declared(requirements: Iterable[str]) -> set[str]:
    return {canonicalize_name(Requirement(requirement).name) for requirement in requirements}


def undeclared(modules: set[str], distributions: set[str]) -> set[str]:
    """The modules that none of these distributions brings; a module that is not installed brings nothing."""
    installed = packages_distributions()
    return {
        module
        for module in modules & installed.keys()
        if not distributions & {canonicalize_name(name) for name in installed[module]}
    }


def test_what_the_program_imports_is_declared() -> None:
    assert not undeclared(imported(*OWN), declared(PROJECT["dependencies"]))


def test_what_the_tests_import_is_declared() -> None:
    extras = PROJECT["optional-dependencies"]
    everything = [*PROJECT["dependencies"], *extras["dev"], *extras["mutation"]]
    assert not undeclared(imported("tests"), declared(everything))


def test_an_import_that_is_not_declared_is_found() -> None:
    assert undeclared({"pytest"}, {"aiohttp"}) == {"pytest"}


@pytest.mark.parametrize("extra", ["", "dev", "postgresql"])
def test_the_lock_file_pins_a_version_that_is_allowed(extra: str) -> None:
    pins = dict(re.findall(r"^([\w.-]+)==(\S+)$", LOCK, re.MULTILINE))
    versions = {canonicalize_name(name): version for name, version in pins.items()}
    for text in PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]:
        requirement = Requirement(text)
        assert requirement.specifier.contains(versions[canonicalize_name(requirement.name)]), text


def test_the_lock_file_names_no_place_to_download_from() -> None:
    assert all(re.fullmatch(r"[\w.-]+==[\w.+!-]+", line) for line in LOCK.splitlines())


@pytest.mark.parametrize("package", OWN)
def test_a_package_says_that_it_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").exists()


def test_the_image_is_built_from_one_version_of_its_base_and_the_pinned_libraries() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^FROM python:\d+\.\d+\.\d+\S*@sha256:[0-9a-f]{64}$", dockerfile, re.MULTILINE)
    assert "-c /src/requirements.lock" in dockerfile
