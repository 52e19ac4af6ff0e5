"""Dependencies: every imported library is declared, and pinned for repeatable installs."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = SETTINGS["project"]
GROUPS = SETTINGS["dependency-groups"]
OWN = ("adapters", "bot", "engine")
DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text()
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
LOCK = tomllib.loads((ROOT / "uv.lock").read_text())
LOCKED = {package["name"]: package for package in LOCK["package"]}
OWN_NAME = PROJECT["name"]


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


@pytest.mark.parametrize("extra", ["", *PROJECT["optional-dependencies"]])
def test_the_lock_has_a_version_that_is_allowed(extra: str) -> None:
    for text in PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]:
        requirement = Requirement(text)
        locked = LOCKED[canonicalize_name(requirement.name)]["version"]
        assert requirement.specifier.contains(locked), text


def test_the_lock_was_written_for_the_requirements_of_now() -> None:
    """Fails until `uv lock` was run after a change of pyproject.toml."""
    declarations = LOCKED[OWN_NAME]["metadata"]
    names = {each["name"] for each in declarations["requires-dist"]}
    extras = PROJECT["optional-dependencies"].values()
    assert names == declared([*PROJECT["dependencies"], *chain.from_iterable(extras)])
    assert {each["name"] for each in declarations["requires-dev"]["build"]} == declared(GROUPS["build"])


def test_the_lock_names_every_file_by_its_hash() -> None:
    for name, package in LOCKED.items():
        if name == OWN_NAME:
            continue

        files = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
        assert files
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", file["hash"]) for file in files)


def test_the_image_takes_only_files_whose_hash_is_locked() -> None:
    *locked, wheel, own = re.findall(r"pip (?:install|wheel) .*", DOCKERFILE)
    files = [re.search(r"--require-hashes -r (\S+)", command) for command in locked]
    assert [found and found[1] for found in files] == ["/src/uv.txt", "/libraries.txt", "/build.txt"]
    assert {"--no-deps", "--no-build-isolation"} <= set(wheel.split())
    assert "--no-deps" in own.split()

    exports = re.findall(r"uv export .*", DOCKERFILE)
    assert [export.split()[-1] for export in exports] == ["/libraries.txt", "/build.txt"]
    assert all("--frozen" in export for export in exports)
    assert "--hash=sha256:" in (ROOT / "deploy/uv.txt").read_text()


def test_the_image_is_built_with_all_that_a_build_needs() -> None:
    assert "DURAK_COMPILE=1 pip wheel" in DOCKERFILE
    needed = SETTINGS["build-system"]["requires"]
    assert {*needed, "mypy[mypyc]>=2.4"} <= set(GROUPS["build"])


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
    assert "uv sync -q --frozen" in release
    for command in re.findall(r"pip (?:install|wheel) .*", release):
        assert "--require-hashes" in command or "--no-deps" in command
    assert "npm" not in release


@pytest.mark.parametrize("package", OWN)
def test_a_package_says_that_it_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").exists()


def test_the_image_is_built_from_one_version_of_its_base() -> None:
    first, *others = re.findall(r"^FROM (.*)$", DOCKERFILE, re.MULTILINE)
    assert re.fullmatch(r"python:\d+\.\d+\.\d+\S*@sha256:[0-9a-f]{64} AS python", first)
    assert all(other.split()[0] in {"python", "libraries"} for other in others)


def test_the_image_is_given_every_file_that_it_copies() -> None:
    ignored = (ROOT / "deploy/Dockerfile.dockerignore").read_text().splitlines()
    given = [line[1:] for line in ignored if line.startswith("!")]
    copies = re.findall(r"^COPY (.*) \S+$", DOCKERFILE, re.MULTILINE)
    copied = set(" ".join(copies).split())
    assert copied - {"deploy/uv.txt"} == set(given)  # it is in a folder that is copied later
