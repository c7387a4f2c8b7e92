# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Programs made from docs/tour.md."""

# What the tour makes and changes, and the build needs.
_HEADER = "core/memory_binds/memory_bind_rules.h"
_FACADE = "core/core.h"
_TEST = "core/memory_binds/memory_bind_rules_test.cc"

def toured_layer_test_program(name, steps):
    """The tour's test, linked with a layer that has the first steps of the tour.

    Args:
      name: name of the program.
      steps: how many steps of the tour are followed.
    """
    folder = name + "_files"
    native.genrule(
        name = name + "_files",
        testonly = True,
        srcs = [
            "//:docs/tour.md",
            "//core:BUILD.bazel",
            "//core:core.h",
        ],
        outs = ["%s/%s" % (folder, path) for path in [_HEADER, _FACADE, _TEST]],
        cmd = "$(location :tour) --tour $(location //:docs/tour.md) --steps %d --out $(RULEDIR)/%s" % (steps, folder) +
              " $(location //core:core.h) $(location //core:BUILD.bazel)",
        tools = [":tour"],
    )
    native.cc_library(
        name = name + "_layer",
        testonly = True,
        srcs = [
            folder + "/" + _FACADE,
            folder + "/" + _HEADER,
            "//core:core_sources",
            "//layer:entry.cc",
            "//layer/validators:validator_sources",
            "//layer/validators:validators.h",
            "//testing:layer_under_test.cc",
        ],
        # The changed façade stands in for the original, whose include guard it has.
        copts = [
            "-iquote",
            "$(GENDIR)/testing/tour/" + folder,
            "-include",
            "$(location %s/%s)" % (folder, _FACADE),
        ],
        local_defines = ["ASSAY_LOADED_AS=kAssay"],
        deps = [
            "//core:rules",
            "//dispatch",
            "//dispatch/extensions:message_hooks",
            "//gpuav",
            "//messages",
            "//object_lifetimes",
            "//state",
            "//stateless",
            "//syncval",
            "//syncval/trace",
            "//testing:fixture_base",
            "//thread_safety",
            "//vk",
            "@com_google_absl//absl/strings",
            "@vulkan_headers",
        ],
        alwayslink = True,
    )
    native.cc_binary(
        name = name,
        testonly = True,
        srcs = [folder + "/" + _TEST],
        deps = [
            ":%s_layer" % name,
            "//testing:fixture_base",
            "@com_google_googletest//:gtest_main",
        ],
    )
