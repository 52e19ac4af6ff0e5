import subprocess
import sys
from graphlib import TopologicalSorter

import grimp
import pytest


def test_no_modules_import_one_another_in_a_circle() -> None:
    """Counts imports for type checkers alone, too: a reader of the code follows them as well."""
    graph = grimp.build_graph("adapters", "bot", "engine", cache_dir=None)
    TopologicalSorter(
        {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    ).prepare()  # raises CycleError, which names the circle


_IMPORT_EACH_ALONE = """
import importlib, pathlib, sys, types

files = [file for file in sorted(pathlib.Path("engine").rglob("*.py")) if not file.stem.startswith("__")]
for file in files:
    for name in [name for name in sys.modules if name.partition(".")[0] == "engine"]:
        del sys.modules[name]
    for folder in {parent for file in files for parent in file.parents} - {pathlib.Path()}:
        package = types.ModuleType(".".join(folder.parts))
        package.__path__ = [str(folder)]
        sys.modules[package.__name__] = package
    importlib.import_module(".".join(file.with_suffix("").parts))
    print(file)
"""


@pytest.mark.slow
def test_every_module_of_the_engine_can_be_imported_by_itself() -> None:
    """Imports each into packages with an empty `__init__`, before anything else of the engine."""
    done = subprocess.run(
        [sys.executable, "-c", _IMPORT_EACH_ALONE], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "engine/rules/play.py" in done.stdout
