"""Dependencies: every imported library is declared, and pinned for repeatable installs."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from itertools import pairwise
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OWN = ("adapters", "bot", "engine")
DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text()
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
LOCKS = ("requirements.lock", "requirements-compile.lock", "requirements-dev.lock")


def imported(*rooms: str) -> set[str]:
    """Returns the top-level modules of other projects that these folders import."""
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
    """Returns the modules of no listed distribution; a module that isn't installed belongs to none."""
    installed = packages_distributions()
    return {
        module
        for module in modules & installed.keys()
        if not distributions & {canonicalize_name(name) for name in installed[module]}
    }


def test_what_the_program_imports_is_declared() -> None:
    everything = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dask"]]
    assert not undeclared(imported(*OWN), declared(everything))


def test_what_the_tests_import_is_declared() -> None:
    extras = PROJECT["optional-dependencies"]
    everything = [*PROJECT["dependencies"], *extras["dev"], *extras["mutation"]]
    assert not undeclared(imported("tests"), declared(everything))


def test_an_import_that_is_not_declared_is_found() -> None:
    assert undeclared({"pytest"}, {"aiohttp"}) == {"pytest"}


PIN = re.compile(r"^([\w.-]+)==([\w.+!-]+)(?: ; [^\\]+)? \\$")
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}(?: \\)?$")


@pytest.mark.parametrize(
    ("lock", "extra"),
    [
        ("requirements.lock", ""),
        ("requirements.lock", "postgresql"),
        ("requirements.lock", "dask"),
        ("requirements-dev.lock", "dev"),
    ],
)
def test_the_lock_file_pins_a_version_that_is_allowed(lock: str, extra: str) -> None:
    pins = [found for line in (ROOT / lock).read_text().splitlines() if (found := PIN.match(line))]
    versions = {canonicalize_name(found[1]): found[2] for found in pins}
    for text in PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]:
        requirement = Requirement(text)
        assert requirement.specifier.contains(versions[canonicalize_name(requirement.name)]), text


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_file_names_every_file_by_its_hash_and_no_place_to_download_from(lock: str) -> None:
    lines = (ROOT / lock).read_text().splitlines()
    assert all(PIN.match(line) or HASH.match(line) for line in lines)
    for pin, following in pairwise(lines):
        assert HASH.match(pin) or HASH.match(following), pin


def test_the_image_takes_only_files_whose_hash_is_locked() -> None:
    libraries, compiler, page, wheel, own = re.findall(r"(?:pip|npm) (?:install|ci|wheel) .*", DOCKERFILE)
    assert "--require-hashes -r /src/requirements.lock" in libraries
    assert "--require-hashes -r /src/requirements-compile.lock" in compiler
    assert page.startswith("npm ci ")  # of the lock alone
    assert {"--no-deps", "--no-build-isolation"} <= set(wheel.split())
    assert "--no-deps" in own.split()
    assert re.search(r"^setuptools==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)


def test_the_search_is_compiled_in_the_image_by_what_types_are_checked_with() -> None:
    assert "DURAK_COMPILE=1 pip wheel" in DOCKERFILE
    pin = re.compile(r"^mypy==.*$", re.MULTILINE)
    compiler, checker = (pin.findall((ROOT / lock).read_text()) for lock in LOCKS[1:])
    assert compiler == checker != []


def test_a_container_has_no_rights_that_the_bot_does_not_need() -> None:
    compose = (ROOT / "deploy/compose.yaml").read_text()
    for line in ("    cap_drop:\n      - ALL\n", "      - no-new-privileges:true\n", "    read_only: true\n"):
        assert line in compose


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_the_actions_of_a_workflow_are_named_by_commit(file: Path) -> None:
    used = re.findall(r"uses: (\S+)", file.read_text())
    assert used
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action) for action in used)


# What can run other people's code: installers, builds, and a checkout, whose scripts could.
RUNS_OTHERS_CODE = re.compile(r"checkout@|\b(pip|npm|npx|uv|apt-get|python3?|docker (build|run))\b")


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_a_job_with_rights_installs_and_builds_nothing(file: Path) -> None:
    head, *jobs = re.split(r"^  (?=[\w-]+:$)", file.read_text().partition("\njobs:\n")[2], flags=re.MULTILINE)
    assert not head
    with_rights = [job for job in jobs if re.search(r"^ +[\w-]+: write\b", job, re.MULTILINE)]
    assert [job.partition(":")[0] for job in with_rights if RUNS_OTHERS_CODE.search(job)] == []


def test_a_release_is_built_from_the_locks() -> None:
    release = (ROOT / ".github/workflows/release.yml").read_text()
    assert [job for job in ("pypi:", "images:", "tag:") if f"\n  {job}\n" not in release] == []
    assert "write-all" not in release
    for command in re.findall(r"pip (?:install|wheel) .*", release):
        assert "--require-hashes" in command or "--no-deps" in command
    for command in re.findall(r"npm .*", release):
        assert command.startswith("npm ci ")
        assert "--ignore-scripts" in command


@pytest.mark.parametrize("package", OWN)
def test_a_package_says_that_it_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").exists()


def test_the_image_is_built_from_one_version_of_its_base() -> None:
    first, *others = re.findall(r"^FROM (.*)$", DOCKERFILE, re.MULTILINE)
    assert re.fullmatch(r"python:\d+\.\d+\.\d+\S*@sha256:[0-9a-f]{64} AS libraries", first)
    assert all(other.split()[0] == "libraries" for other in others)


def test_the_image_is_given_every_file_that_it_copies() -> None:
    ignored = (ROOT / "deploy/Dockerfile.dockerignore").read_text().splitlines()
    given = [line[1:] for line in ignored if line.startswith("!")]
    copies = re.findall(r"^COPY (.*) \S+$", DOCKERFILE, re.MULTILINE)
    assert set(" ".join(copies).split()) == set(given)
