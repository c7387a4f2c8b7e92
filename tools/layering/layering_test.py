# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The packages use each other as the picture of ARCHITECTURE.md has it, and it would be noticed if they did not."""

import sys
import unittest

from tools.layering import layering
from tools.layout import checkout

Edge = layering.Edge

LAYER_GRAPH = "tools/layering/layer_graph"


def edges(text, package="syncval"):
    return layering.edges_of_build_file(text, package)


def violations(*found, packages=()):
    return list(layering.violations(set(packages), set(found)))


class WorkspaceTest(unittest.TestCase):

    def test_packages_use_each_other_as_in_the_picture(self):
        packages, found = layering.workspace_edges(checkout.find_root())
        # Should evaluation see nothing, nothing would be wrong.
        self.assertGreaterEqual(packages, {"vk", "messages", "dispatch", "state", "syncval", "layer", "testing"})
        self.assertIn(Edge("state", "dispatch", False), found)
        self.assertIn(Edge("layer", "syncval", False), found)
        self.assertEqual(list(layering.violations(packages, found)), [])

    def test_what_ships_is_as_in_the_picture(self):
        with open(LAYER_GRAPH, encoding="utf-8") as text:
            found = layering.graph_edges(text.read())
        self.assertIn(Edge("syncval", "state", False), found)
        self.assertEqual(list(layering.violations(set(), found - {Edge("", "layer", False)})), [])
        self.assertFalse({"testing", "benchmarks", "examples"} & {edge.target for edge in found})


class ForbiddenEdgeTest(unittest.TestCase):

    def test_validator_sees_another(self):
        self.assertEqual(violations(*edges('cc_library(name = "x", deps = ["//core:core"])')),
                         ["//syncval must not use //core: the picture has no such edge."])

    def test_package_uses_one_above_it(self):
        self.assertEqual(len(violations(*edges('cc_library(name = "x", deps = ["//state"])', "dispatch/settings"))), 1)
        self.assertEqual(len(violations(*edges('cc_library(name = "x", deps = ["//state"])', "stateless"))), 1)

    def test_nothing_that_ships_uses_testing(self):
        for package in set(layering.ALLOWED) - {"testing", "benchmarks"}:
            self.assertEqual(len(violations(Edge(package, "testing", False))), 1, package)
            self.assertEqual(len(violations(Edge(package, "benchmarks", False))), 0 if package == "" else 1, package)

    def test_tests_may_use_testing_but_not_a_neighbour(self):
        self.assertEqual(violations(*edges('cc_test(name = "x", deps = ["//testing:fixture"])')), [])
        library = 'cc_library(name = "x", testonly = True, deps = ["//testing:fixture"])'
        self.assertEqual(violations(*edges(library)), [])
        self.assertEqual(len(violations(*edges('cc_test(name = "x", deps = ["//gpuav"])'))), 1)

    def test_new_package(self):
        self.assertEqual(len(violations(packages=["vk", "telemetry"])), 1)

    def test_edge_that_bazel_found(self):
        found = layering.graph_edges('  "//vk:vk" -> "//dispatch:handles"\n'
                                     '  "//vk:vk" -> "@com_google_absl//absl/base:base"\n')
        self.assertEqual(len(violations(*found)), 1)

    def test_exception_that_is_not_needed(self):
        layering.EXCEPTIONS[("vk", "messages")] = "for this test"
        try:
            self.assertEqual(violations(Edge("vk", "messages", False)), [])
            self.assertEqual(len(violations()), 1)
        finally:
            layering.EXCEPTIONS.clear()


class EvaluationTest(unittest.TestCase):

    def test_edges_are_found_wherever_they_are(self):
        text = '''
load("//build:x.bzl", "some_rule", LISTS = "LISTS")
DEPS = ["//messages"]
[cc_library(name = "x%d" % i, deps = DEPS + LISTS + [":y"]) for i in range(2)]
some_rule(name = "z", args = ["$(location //vk:table)"], data = select({"//conditions:default": ["//state"]}))
cc_library(name = "v", visibility = ["//core:__pkg__"], deps = ["@com_google_absl//absl/strings"])
'''
        self.assertEqual({edge.target for edge in edges(text)}, {"messages", "vk", "state"})

    def test_subpackages_belong_to_the_top(self):
        self.assertEqual(edges('cc_library(name = "x", deps = ["//state/image:y"])', "syncval/engine"),
                         {Edge("syncval", "state", False)})


if __name__ == "__main__":
    sys.exit(unittest.main())
