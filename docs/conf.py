"""How Sphinx makes the documentation site: `make docs`.

Warnings are errors there, and nothing is fetched from another machine, neither while the site is
built nor while it is read.
"""

from __future__ import annotations

import sys
from pathlib import Path

import kingme

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS / "extensions"))

import kernels  # noqa: E402 - from the folder above

kernels.keep_to(DOCS.parent / ".cache" / "ipython")

project = "kingme"
author = "The kingme authors"
release = kingme.__version__
version = release
language = "en"
html_title = "kingme"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "boards",
    "modules",
    "variants",
    "links",
]
exclude_patterns = ["files", "static", "templates", "images", "extensions"]
default_role = "py:obj"
nitpicky = True
# Names of the standard library and of types in signatures are plain text: they would need other
# sites to link to. Ours have to be right.
nitpick_ignore_regex = [(r"py:.*", r"(?!kingme\.).*")]

# --- pages ---
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "smartquotes"]
myst_heading_anchors = 3
myst_links_external_new_tab = False
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_execution_show_tb = True
nb_merge_streams = True

# --- the reference ---
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True}
autodoc_class_signature = "mixed"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
napoleon_numpy_docstring = False
toc_object_entries_show_parents = "hide"

# --- looks: the colours of the page that one plays on ---
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "../src/kingme/web/static/favicon.svg"
html_logo = html_favicon
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
pygments_style = "paint.Light"
pygments_dark_style = "paint.Dark"
html_theme_options = {
    "navigation_with_keys": False,
    "light_css_variables": {
        "font-stack": (
            '-apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans",'
            ' "Helvetica Neue", Arial, sans-serif'
        ),
        "font-stack--monospace": (
            'ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", "DejaVu Sans Mono",'
            ' "Liberation Mono", Menlo, Consolas, monospace'
        ),
        "color-foreground-primary": "#23261f",
        "color-foreground-secondary": "#4c5147",
        "color-foreground-muted": "#5b6055",
        "color-foreground-border": "#8b8d80",
        "color-background-primary": "#fffdf7",
        "color-background-secondary": "#f4f1e8",
        "color-background-hover": "#ece7d8",
        "color-background-hover--transparent": "#ece7d800",
        "color-background-border": "#e0dbcc",
        "color-brand-primary": "#1e6647",
        "color-brand-content": "#1e6647",
        "color-brand-visited": "#1e6647",
        "color-inline-code-background": "#f4f1e8",
        "color-code-background": "#f8f5ec",
        "color-code-foreground": "#23261f",
        "color-api-name": "#1e6647",
        "color-api-pre-name": "#1e6647",
        "color-api-background": "#f8f5ec",
        "color-api-background-hover": "#f0ecdf",
        "color-highlight-on-target": "#fdf3c9",
        "color-highlighted-background": "#f7d354",
    },
    "dark_css_variables": {
        "color-foreground-primary": "#ece9df",
        "color-foreground-secondary": "#c6c8bd",
        "color-foreground-muted": "#a9aea2",
        "color-foreground-border": "#737a70",
        "color-background-primary": "#171917",
        "color-background-secondary": "#1c1f1c",
        "color-background-hover": "#2a2e2a",
        "color-background-hover--transparent": "#2a2e2a00",
        "color-background-border": "#353a35",
        "color-brand-primary": "#86cba8",
        "color-brand-content": "#86cba8",
        "color-brand-visited": "#86cba8",
        "color-inline-code-background": "#262a26",
        "color-code-background": "#202320",
        "color-code-foreground": "#ece9df",
        "color-api-name": "#86cba8",
        "color-api-pre-name": "#86cba8",
        "color-api-background": "#202320",
        "color-api-background-hover": "#2a2e2a",
        "color-highlight-on-target": "#3a3413",
        "color-highlighted-background": "#6f5c12",
    },
}
