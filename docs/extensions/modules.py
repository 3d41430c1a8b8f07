"""One page of reference for each public module, from its docstrings.

The pages are written into `reference/modules` when a build begins, and never committed. What a
package exports is explained once, there, and linked from the module that it comes from.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from pathlib import Path
from types import ModuleType

from docutils import nodes
from sphinx.addnodes import desc_annotation, pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

SECTIONS = {
    "rules": ("The rules", ("kingme.errors", "kingme.rules")),
    "pictures": ("Pictures", ("kingme.prints",)),
    "collection": ("Collections", ("kingme.collection",)),
    "engine": ("Engines", ("kingme.engine",)),
    "analysis": ("Analysis", ("kingme.analysis",)),
    "play": ("Games between people", ("kingme.play",)),
}
# Programs, and what is compiled: parts of the server and the engine rather than an interface.
INTERNAL = ("kingme.engine.kernels",)
#: what a page shows of a constant's value; records and tables of them are longer
LONGEST = 200
RECORD = re.compile(r"Variant\(name='(\w+)'.*?sources=.*?\)\)")


def public_modules(top: str) -> list[str]:
    """A module and all that lie below it, by name; those that begin with `_` are private."""
    try:
        module = importlib.import_module(top)
    except ModuleNotFoundError as error:
        if error.name != top:
            raise
        return []
    found = [top]
    for info in pkgutil.walk_packages(getattr(module, "__path__", ()), f"{top}."):
        private = any(part.startswith("_") for part in info.name.split("."))
        if not private and not info.name.startswith(INTERNAL):
            found.append(info.name)
    return sorted(found)


def shared(module: ModuleType) -> dict[str, str]:
    """The classes and functions of a module that a package above it exports, with its name.

    They are explained there. Data keep their explanation where they are defined, since it is a
    comment there.
    """
    found: dict[str, str] = {}
    names = getattr(module, "__all__", None) or vars(module)
    package = module.__name__.rpartition(".")[0]
    while package:
        above = importlib.import_module(package)
        for name in set(names) & set(getattr(above, "__all__", ())):
            value = getattr(module, name)
            is_code = inspect.isroutine(value) or inspect.isclass(value)
            if is_code and getattr(above, name) is value:
                found[name] = package
        package = package.rpartition(".")[0]
    return found


def data(module: ModuleType) -> dict[str, object]:
    """The constants that a module exports."""
    names = getattr(module, "__all__", ())
    values = {name: getattr(module, name) for name in names}
    return {
        name: value
        for name, value in values.items()
        if not (inspect.isroutine(value) or inspect.isclass(value) or inspect.ismodule(value))
    }


def listed(module: ModuleType) -> list[str]:
    """What a module's dictionaries of records hold: each name, and the title of its record."""
    lines: list[str] = []
    for name, records in data(module).items():
        titles = records.items() if isinstance(records, dict) else ()
        if titles and all(hasattr(record, "title") for _, record in titles):
            lines += ["", f"``{name}`` holds:", ""]
            lines += [f"- ``{key}``: {record.title}" for key, record in titles]
    return lines


def module_page(name: str) -> str:
    """The page of one module."""
    module = importlib.import_module(name)
    lines = [name, "=" * len(name), "", f".. automodule:: {name}"]
    package, _, last = name.rpartition(".")
    if last in getattr(importlib.import_module(package), "__all__", ()):
        lines.append("   :no-index:")  # the package has a function of the same name
    elsewhere = shared(module)
    if elsewhere:
        lines.append(f"   :exclude-members: {', '.join(sorted(elsewhere))}")
        for package in sorted(set(elsewhere.values())):
            items = sorted(item for item, home in elsewhere.items() if home == package)
            links = ", ".join(f":py:obj:`{package}.{item}`" for item in items)
            lines += ["", f"Explained with :py:mod:`{package}`: {links}."]
    return "\n".join([*lines, *listed(module)]) + "\n"


def section_page(title: str, names: list[str]) -> str:
    """The page of a section: each module with the first line of its docstring."""
    lines = [title, "=" * len(title), "", ".. list-table::", "   :widths: 40 60", ""]
    for name in names:
        said = (importlib.import_module(name).__doc__ or "").strip().splitlines()
        # A first sentence may run over its line.
        first = " ".join(said).split("  ", maxsplit=1)[0].split(". ")[0].rstrip(".:")
        lines += [f"   * - :doc:`{name} <modules/{name}>`", f"     - {first}"]
    lines += ["", ".. toctree::", "   :hidden:", ""]
    lines += [f"   modules/{name}" for name in names]
    return "\n".join(lines) + "\n"


def write(path: Path, text: str) -> None:
    """Write a page, unless it says that already."""
    if not path.is_file() or path.read_text() != text:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def write_pages(app: Sphinx) -> None:
    """Write all pages, and remove those of modules that are gone."""
    folder = Path(app.srcdir) / "reference"
    kept = set()
    for section, (title, tops) in SECTIONS.items():
        names = [name for top in tops for name in public_modules(top)]
        for name in names:
            kept.add(f"{name}.rst")
            write(folder / "modules" / f"{name}.rst", module_page(name))
        write(folder / f"{section}.rst", section_page(title, names))
    for page in (folder / "modules").glob("*.rst"):
        if page.name not in kept:
            page.unlink()


def named(target: str) -> tuple[ModuleType, object] | None:
    """What a dotted name stands for, and the module that it is in."""
    parts = target.split(".")
    for at in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:at]))
        except ImportError:
            continue
        value: object = module
        for part in parts[at:]:
            value = getattr(value, part, None)
        return (module, value) if value is not None else None
    return None


def find_elsewhere(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.Element
) -> nodes.Element | None:
    """Lead a reference to wherever a name is explained; what a module keeps to itself is text."""
    target = str(node.get("reftarget", ""))
    if node.get("refdomain") != "py" or not target.startswith("kingme."):
        return None
    found = named(target)
    if found is None:
        return None
    module, value = found
    domain = env.domains.python_domain
    last = target.rpartition(".")[2]
    for other in domain.objects:
        if other.rpartition(".")[2] == last and other != target:
            same = named(other)
            if same is not None and same[1] is value:
                return domain.resolve_xref(
                    env, node["refdoc"], app.builder, "obj", other, node, text
                )
    private = last not in getattr(module, "__all__", ()) and not inspect.ismodule(value)
    return text if private else None


def shorten(
    _app: Sphinx,
    _what: str,
    _name: str,
    _value: object,
    _options: object,
    signature: str | None,
    returned: str | None,
) -> tuple[str | None, str | None]:
    """Say the name of a record that is a default, not all of its fields."""
    return signature and RECORD.sub(lambda found: found[1].upper(), signature), returned


def leave_out(_app: Sphinx, doctree: nodes.document) -> None:
    """Take the values of constants out that nobody reads: tables, and whole records."""
    for value in list(doctree.findall(desc_annotation)):
        text = value.astext()
        if text.lstrip().startswith("=") and len(text) > LONGEST:
            value.parent.remove(value)


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages before they are read, and help references to find them."""
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-process-signature", shorten)
    app.connect("doctree-read", leave_out)
    app.connect("missing-reference", find_elsewhere)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
