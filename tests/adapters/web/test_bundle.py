"""Many small scripts and styles are joined into a few files, and behave as they did separately."""

import shutil
import subprocess
import sys
from graphlib import CycleError
from pathlib import Path

import pytest

from adapters.web.bundle import Bundles, with_joined_styles

DOOR_HTML = """<head>
  <link rel="stylesheet" href="/page/paper.css">
  <link rel="stylesheet" href="/page/ink.css">
  <script type="module" src="/page/door.js"></script>
</head>
"""

DOOR = """
import { greet, Guest as Person } from "./people.js";
import { word } from "./words.js";

const guests = "at the door"; // another module has a constant of this name

/** @type {typeof import("./people.js").Guest | null} */
const nobody = null;

console.log(greet(new Person("Anna")), guests, nobody, word);
import("./room.js").then(({ open, size }) => console.log(open(), size));
"""

PEOPLE = """
import { word } from "./words.js";

const guests = [];

export class Guest {
  constructor(name) {
    this.name = name;
  }
}

export function greet(guest) {
  guests.push(guest);
  return `${word}, ${guest.name}: ${guests.length}`;
}
"""

ROOM = """
import { Guest, greet } from "./people.js";
import { chair } from "./chairs.js";

export const size = 2;

export function open() {
  return `${greet(new Guest("Boris"))} ${chair}`;
}
"""

SOURCES = {
    "index.html": DOOR_HTML,
    "door.js": DOOR,
    "people.js": PEOPLE,
    "room.js": ROOM,
    "chairs.js": 'export const chair = "on a chair";\n',
    "words.js": 'export const { word, other } = { word: "Hello", other: "Bye" };\n',
    "paper.css": "body {\n  color: red; /* the next one has another */\n}\n",
    "ink.css": "body {\n  color: black;\n}\n",
}

PRINTED = "Hello, Anna: 1 at the door null Hello\nHello, Boris: 2 on a chair 2\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_browser_gets_one_script_and_one_style_and_later_one_more_script(folder: Path) -> None:
    assert Bundles(folder).names == ["door.js", "room.js", "paper-ink.css"]

    html = with_joined_styles(DOOR_HTML)
    assert html.count("<link") == 1
    assert '<link rel="stylesheet" href="/page/paper-ink.css">' in html


def test_styles_keep_their_order(folder: Path) -> None:
    assert Bundles(folder).text_of("paper-ink.css") == "body{color:red}body{color:black}"


@pytest.mark.skipif(not shutil.which("node"), reason="Node runs the scripts")
def test_joined_scripts_do_what_the_sources_do(folder: Path) -> None:
    bundles = Bundles(folder)
    joined = folder / "joined"
    joined.mkdir()
    for name in ("door.js", "room.js"):
        (joined / name).write_text(bundles.text_of(name))

    (folder / "package.json").write_text('{"type": "module"}')
    for scripts in (folder, joined):
        ran = subprocess.run(["node", "door.js"], cwd=scripts, capture_output=True, text=True, check=True)
        assert ran.stdout == PRINTED


@pytest.mark.parametrize(
    "statement", ['import "./words.js";', "export default 3;", "export let count = 0;", "export { word };"]
)
def test_a_form_that_cannot_be_joined_is_an_error(folder: Path, statement: str) -> None:
    (folder / "chairs.js").write_text(statement)
    with pytest.raises(ValueError, match=r"chairs\.js can't be joined"):
        Bundles(folder).text_of("room.js")


def test_modules_that_import_one_another_are_an_error(folder: Path) -> None:
    (folder / "words.js").write_text('import { greet } from "./people.js";\nexport const word = greet;\n')
    with pytest.raises(CycleError):
        Bundles(folder).text_of("door.js")


def test_comments_stay_in_the_development_mode_of_python(folder: Path) -> None:
    program = (
        "from pathlib import Path; from adapters.web.bundle import Bundles; "
        f"print(Bundles(Path({str(folder)!r})).text_of('door.js'))"
    )
    for options, has_comments in (([], False), (["-X", "dev"], True)):
        command = [sys.executable, *options, "-c", program]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        assert ("// another module" in ran.stdout) is has_comments
