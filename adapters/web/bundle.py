"""The page's scripts and styles as browsers get them: joined into few files, and minified.

The sources are small modules that import one another, and styles that follow one another. On a slow network
each request costs half a second. So a browser gets one script and one style for what it shows first, and one
each for the room.

To debug in a browser, start the bot in Python's development mode, `python -X dev -m bot`: then comments and
line breaks stay.
"""

import re
import sys
from collections.abc import Iterable
from graphlib import TopologicalSorter
from pathlib import Path

from rcssmin import cssmin
from rjsmin import jsmin

# What a page names: a script, and styles in lines that follow one another.
_SCRIPT = re.compile(r'<script type="module" src="/page/([\w-]+\.js)">')
_STYLES = re.compile(r'(?:^ *<link rel="stylesheet" href="/page/[\w-]+\.css">\n)+', re.MULTILINE)
_STYLE = re.compile(r"/page/([\w-]+)\.css")

# What a script imports: `import { t } from "./texts.js";` at once, `import("./room.js")` when it is needed.
# In comments the second form names a type: `{import("./room.js").Seat}`.
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([\w-]+)\.js";$', re.MULTILINE)
_LATER = re.compile(r'(?<!\{)(?<!typeof )\bimport\("\./([\w-]+\.js)"\)')

# What it exports: a function, a class, a constant, or several, as in `export const { language, texts } = …`.
_EXPORT = re.compile(
    r"^export (?=(?:async )?(?:function|class|const) (?:\{ ([^}]+) \}|([\w$]+)))", re.MULTILINE
)

# All other forms of both, which the page does without.
_UNKNOWN = re.compile(r"^(?:import\b(?!\()|export\b).*", re.MULTILINE)


class Bundles:
    """The scripts and styles of the pages in a folder.

    Args:
        folder: Has the pages, and all scripts and styles that they name.
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
        """The files that browsers ask for."""
        return [*self._named, *self._later, *self._styles]

    def text_of(self, name: str) -> str:
        """Returns one of these files."""
        if name in self._named:
            return minified_script(self._script(name))
        if name in self._later:
            return minified_script(self._script_for_later(name))
        return minified_style("".join(self._read(f"{style}.css") for style in self._styles[name]))

    def _script(self, name: str) -> str:
        """Returns a script with the modules that it needs, for itself and for those that it loads later."""
        modules = self._with_imports(name)
        values = [self._as_value(module) for module in modules]
        return "\n".join([*values, f"export {{ {_variables(modules)} }};"])

    def _script_for_later(self, name: str) -> str:
        """Returns a script with the modules that it needs, but for those that are there when it is loaded."""
        loader = next(script for script in self._named if name in self._loaded_later(script))
        there = self._with_imports(loader)
        values = [self._as_value(module) for module in self._with_imports(name) if module not in there]

        begins = f'import {{ {_variables(there)} }} from "./{loader}";'
        ends = f"export const {{ {_exported(self._read(name))} }} = {_variable(name)};"
        return "\n".join([begins, *values, ends])

    def _as_value(self, module: str) -> str:
        """Returns a module as a constant that has what it exports; all else stays inside a function.

        Raises:
            ValueError: It imports or exports something in a form that is not known here.
        """
        source = self._read(module)
        body = _IMPORT.sub(lambda found: f"const {found[1].replace(' as ', ': ')} = ${found[2]};", source)
        body = _EXPORT.sub("", body)
        if unknown := _UNKNOWN.search(body):
            raise ValueError(f"{module} can't be joined with others: {unknown[0]}")

        return f"const {_variable(module)} = (() => {{\n{body}\nreturn {{ {_exported(source)} }};\n}})();"

    def _with_imports(self, script: str) -> list[str]:
        """Returns a script and all modules that it needs, each after those that it imports itself.

        Raises:
            graphlib.CycleError: Two of them import one another.
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
    """Returns a page that names one style in place of those that follow one another."""
    return _STYLES.sub(
        lambda links: f'  <link rel="stylesheet" href="/page/{_name_of(_STYLE.findall(links[0]))}">\n', html
    )


def minified_script(source: str) -> str:
    """Returns a script minified, or as it is in development mode."""
    return source if sys.flags.dev_mode else str(jsmin(source))


def minified_style(source: str) -> str:
    """Returns a style minified, or as it is in development mode."""
    return source if sys.flags.dev_mode else str(cssmin(source))


def _name_of(styles: Iterable[str]) -> str:
    return f"{'-'.join(styles)}.css"


def _exported(source: str) -> str:
    """Returns the names that a module exports, as a list between braces."""
    return ", ".join(several or one for several, one in _EXPORT.findall(source))


def _variable(module: str) -> str:
    return f"${Path(module).stem}"


def _variables(modules: Iterable[str]) -> str:
    return ", ".join(map(_variable, modules))
