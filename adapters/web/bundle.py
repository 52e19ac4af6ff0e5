"""Joins the page's scripts and styles into a few files, and minifies them.

The sources are many small modules and style sheets, and on a slow network each request costs half a second.
So a browser gets one script and one style sheet for the first view, and one of each for the room.

To debug in a browser, start the bot in Python's development mode, `python -X dev -m bot`. It keeps comments
and line breaks.
"""

import re
import sys
from collections.abc import Iterable
from graphlib import TopologicalSorter
from pathlib import Path

from rcssmin import cssmin
from rjsmin import jsmin

# The links of a page: a script, and style sheets on consecutive lines.
_SCRIPT = re.compile(r'<script type="module" src="/page/([\w-]+\.js)">')
_STYLES = re.compile(r'(?:^ *<link rel="stylesheet" href="/page/[\w-]+\.css">\n)+', re.MULTILINE)
_STYLE = re.compile(r"/page/([\w-]+)\.css")

# The imports of a script: `import { t } from "./texts.js";` at once, `import("./room.js")` on demand.
# In a comment the second form names a type: `{import("./room.js").Seat}`.
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([\w-]+)\.js";$', re.MULTILINE)
_LATER = re.compile(r'(?<!\{)(?<!typeof )\bimport\("\./([\w-]+\.js)"\)')

# The exports of a script: a function, a class, or constants, as in `export const { language, texts } = …`.
_EXPORT = re.compile(
    r"^export (?=(?:async )?(?:function|class|const) (?:\{ ([^}]+) \}|([\w$]+)))", re.MULTILINE
)

# All other forms of import and export, which the page does not use.
_UNKNOWN = re.compile(r"^(?:import\b(?!\()|export\b).*", re.MULTILINE)


class Bundles:
    """The scripts and styles of the pages in a folder.

    Args:
        folder: Contains the pages, and all scripts and styles that they link to.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        pages = [path.read_text("utf-8") for path in sorted(folder.glob("*.html"))]
        sources = [path.read_text("utf-8") for path in sorted(folder.glob("*.js"))]

        named = [script for page in pages for script in _SCRIPT.findall(page)]
        later = [script for source in sources for script in _LATER.findall(source)]
        self._named = list(dict.fromkeys(named))
        self._later = [script for script in dict.fromkeys(later) if script not in named]

        groups = [_STYLE.findall(links) for page in pages for links in _STYLES.findall(page)]
        self._styles = {_name_of(styles): styles for styles in groups}

    @property
    def names(self) -> list[str]:
        """The names of the joined files, as browsers request them."""
        return [*self._named, *self._later, *self._styles]

    def text_of(self, name: str) -> str:
        """Returns the content of one of `names`."""
        if name in self._named:
            return minified_script(self._script(name))
        if name in self._later:
            return minified_script(self._script_for_later(name))
        return minified_style("".join(self._read(f"{style}.css") for style in self._styles[name]))

    def _script(self, name: str) -> str:
        """Returns a script with the modules it imports, which it exports for scripts that it loads later."""
        modules = self._with_imports(name)
        values = [self._as_value(module) for module in modules]
        return "\n".join([*values, f"export {{ {_variables(modules)} }};"])

    def _script_for_later(self, name: str) -> str:
        """Returns a script with the modules it imports, except those that its loader already has."""
        loader = next(script for script in self._named if name in self._loaded_later(script))
        there = self._with_imports(loader)
        values = [self._as_value(module) for module in self._with_imports(name) if module not in there]

        begins = f'import {{ {_variables(there)} }} from "./{loader}";'
        ends = f"export const {{ {_exported(self._read(name))} }} = {_variable(name)};"
        return "\n".join([begins, *values, ends])

    def _as_value(self, module: str) -> str:
        """Returns a module as a constant with its exports; everything else is local to a function.

        Raises:
            ValueError: It uses an unsupported form of import or export.
        """
        source = self._read(module)
        body = _IMPORT.sub(lambda found: f"const {found[1].replace(' as ', ': ')} = ${found[2]};", source)
        body = _EXPORT.sub("", body)
        if unknown := _UNKNOWN.search(body):
            raise ValueError(f"{module} can't be joined with others: {unknown[0]}")

        return f"const {_variable(module)} = (() => {{\n{body}\nreturn {{ {_exported(source)} }};\n}})();"

    def _with_imports(self, script: str) -> list[str]:
        """Returns a script and all modules that it needs, each after its own imports.

        Raises:
            graphlib.CycleError: Modules import one another in a circle.
        """
        imports: dict[str, list[str]] = {}
        waiting = [script]
        while waiting:
            module = waiting.pop()
            imports[module] = [f"{stem}.js" for _, stem in _IMPORT.findall(self._read(module))]
            waiting += [imported for imported in imports[module] if imported not in imports]

        return list(TopologicalSorter(imports).static_order())

    def _loaded_later(self, script: str) -> list[str]:
        modules = self._with_imports(script)
        return [later for module in modules for later in _LATER.findall(self._read(module))]

    def _read(self, name: str) -> str:
        return (self._folder / name).read_text("utf-8")


def with_joined_styles(html: str) -> str:
    """Returns a page in which one link replaces each run of consecutive style sheets."""
    return _STYLES.sub(
        lambda links: f'  <link rel="stylesheet" href="/page/{_name_of(_STYLE.findall(links[0]))}">\n', html
    )


def minified_script(source: str) -> str:
    """Returns a script minified, or unchanged in development mode."""
    return source if sys.flags.dev_mode else str(jsmin(source))


def minified_style(source: str) -> str:
    """Returns a style sheet minified, or unchanged in development mode."""
    return source if sys.flags.dev_mode else str(cssmin(source))


def _name_of(styles: Iterable[str]) -> str:
    return f"{'-'.join(styles)}.css"


def _exported(source: str) -> str:
    """Returns the names that a module exports, separated by commas."""
    return ", ".join(several or one for several, one in _EXPORT.findall(source))


def _variable(module: str) -> str:
    return f"${Path(module).stem}"


def _variables(modules: Iterable[str]) -> str:
    return ", ".join(map(_variable, modules))
