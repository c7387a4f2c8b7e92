# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The packages that each package may use: the graph of ARCHITECTURE.md as data, and a comparison with BUILD files.

All BUILD files are evaluated, with rules that only record their arguments. So this finds packages that the graph does
not have, and dependencies of tests. It also reads Bazel's own graph of what ships: see graph_edges().
"""

import collections
import os
import re

# What a package (a folder at the top, with all below it) may use. `//build` and `//third_party` are open to all.
ALLOWED = {
    "registry": set(),
    "vk": {"registry"},
    "messages": {"vk"},
    "dispatch": {"cache", "messages", "vk"},
    "state": {"dispatch", "messages", "spirv_instrument", "vk"},
    "stateless": {"cache", "dispatch", "messages", "vk"},
    "object_lifetimes": {"dispatch", "messages", "vk"},
    "thread_safety": {"dispatch", "messages", "vk"},
    "core": {"cache", "spirv_instrument", "state", "dispatch", "messages", "vk"},
    "syncval": {"state", "dispatch", "messages", "vk"},
    "spirv_instrument": set(),
    "cache": set(),
    "gpuav": {"cache", "spirv_instrument", "state", "dispatch", "messages", "vk"},
    "layer": {
        "stateless", "object_lifetimes", "thread_safety", "core", "syncval", "gpuav", "cache", "state", "dispatch",
        "messages", "vk"
    },
    "examples": {""},
    "build": set(),
    "third_party": set(),
    # The programs that count what is checked, and the reader of the registry for the one that says how much that is.
    "tools": {"core", "gpuav", "object_lifetimes", "registry", "stateless"},
    # The aliases that people type: //:layer, //:demo. What they lead to is looked at where it is.
    "": {"layer", "examples", "benchmarks", "tools"},
    "testing": None,
    "benchmarks": None,
}

EVERYWHERE = {"build", "third_party"}

# What tests may use besides what their package may: the fixtures, and the layer as a whole.
FOR_TESTS = {"testing", "", "layer"}

# Edges that the picture does not have, each with the reason why it is there nevertheless: (from, to): reason.
EXCEPTIONS = {}

Edge = collections.namedtuple("Edge", "source target is_test")


def package_of(label, current):
    """The top-level package of a label in the package `current`; None for labels of other repositories."""
    if label.startswith("@"):
        return None
    if not label.startswith("//"):
        return top(current)
    return top(re.split("[:]", label[2:])[0])


def top(path):
    return path.split("/")[0]


class _UnknownValue:
    """Whatever a BUILD file may ask of a value that only Bazel knows."""

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self

    def __iter__(self):
        return iter(())

    def __radd__(self, other):
        return other

    def __add__(self, other):
        return other


def _strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.items():
            yield from _strings(list(item))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _strings(item)


# Attributes that name packages without using them.
_NO_EDGE = {"visibility", "packages", "default_visibility", "name", "tags", "features", "includes"}


class _Scope(dict):
    """The names of a BUILD file: whatever is not defined is a rule, whose calls are noted."""

    def __init__(self, package, edges, constants):
        super().__init__(constants)
        self.package = package
        self.edges = edges
        self["load"] = self.load
        self["glob"] = lambda *args, **kwargs: []
        self["select"] = lambda choices: [string for choice in choices.values() for string in _strings(choice)]
        ignored = lambda *args, **kwargs: None
        self["package"] = self["licenses"] = self["exports_files"] = self["package_group"] = ignored
        self["native"] = _UnknownValue()
        # They stand for themselves, not for what is below.
        self["genquery"] = lambda *args, **kwargs: None

    def __missing__(self, name):
        if name in __builtins__ if isinstance(__builtins__, dict) else hasattr(__builtins__, name):
            raise KeyError(name)
        return lambda *args, **kwargs: self.rule(name, kwargs)

    def load(self, path, *names, **renamed):
        # Loaded rules are noted like all others; loaded values (lists of packages) are of no interest.
        for name in list(names) + list(renamed):
            if name.isupper():
                self[name] = []

    def rule(self, kind, attributes):
        is_test = bool(attributes.get("testonly")) or kind.endswith("_test") or kind == "test_suite"
        for attribute, value in attributes.items():
            if attribute in _NO_EDGE:
                continue
            for string in _strings(value):
                for label in re.findall(r"(?<![\w@/])//[\w./+-]*(?::[\w./+-]+)?", string):
                    self.edges.add(Edge(top(self.package), package_of(label, self.package), is_test))


def edges_of_build_file(text, package):
    """The edges that a BUILD file of a package declares, within the package as well."""
    edges = set()
    # Python has no name for what Starlark calls by it.
    scope = _Scope(package, edges, {"True": True, "False": False, "None": None})
    exec(compile(text, package + "/BUILD.bazel", "exec"), scope)  # pylint: disable=exec-used
    return edges


def workspace_edges(root):
    """(all top-level packages, all edges) of a checkout."""
    packages, edges = set(), set()
    for folder, folders, files in os.walk(root):
        path = os.path.relpath(folder, root)
        folders[:] = [name for name in folders if not name.startswith((".", "bazel-"))]
        # Repositories of their own, which only WORKSPACE looks into.
        folders[:] = [name for name in folders if not os.path.exists(os.path.join(folder, name, "WORKSPACE"))]
        package = "" if path == "." else path.replace(os.sep, "/")
        for name in {"BUILD", "BUILD.bazel"} & set(files):
            with open(os.path.join(folder, name), encoding="utf-8") as text:
                packages.add(top(package))
                edges |= edges_of_build_file(text.read(), package)
    return packages, edges


def graph_edges(graph):
    """The edges between top-level packages in what `bazel query --output=graph --nograph:factored` printed."""
    edges = set()
    for source, target in re.findall(r'"([^"]+)" -> "([^"]+)"', graph):
        packages = package_of(source, ""), package_of(target, "")
        if None not in packages:
            edges.add(Edge(*packages, False))
    return edges


def violations(packages, edges):
    """What is not as the picture has it, a sentence each."""
    for package in sorted(packages - set(ALLOWED)):
        yield ("//%s is not in the picture: say in tools/layering/layering.py what it may use, and who may use it." %
               package)
    used = set()
    for edge in sorted(edges):
        if edge.source == edge.target or edge.source not in ALLOWED or edge.target in EVERYWHERE:
            continue
        allowed = ALLOWED[edge.source]
        if allowed is None or edge.target in allowed or (edge.is_test and edge.target in FOR_TESTS):
            continue
        if (edge.source, edge.target) in EXCEPTIONS:
            used.add((edge.source, edge.target))
            continue
        kind = "A test of //%s" if edge.is_test else "//%s"
        yield (kind + " must not use //%s: the picture has no such edge.") % (edge.source, edge.target)
    for source, target in sorted(set(EXCEPTIONS) - used):
        yield "The exception for //%s, which may use //%s, is not needed any more." % (source, target)
