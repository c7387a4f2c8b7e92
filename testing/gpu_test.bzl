# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests that run a program through the real Vulkan loader, on the software GPU of the pinned packages by default."""

def gpu_test(
        name,
        binary,
        args = [],
        layer = "//:layer",
        below = None,
        settings = {},
        expect = [],
        reject = [],
        exit_status = 0,
        mock_driver = False,
        data = [],
        tags = [],
        **kwargs):
    """Runs a program with a layer over a GPU, and looks at its exit status and what it prints.

    Args:
      name: the test.
      binary: the program, which finds Vulkan by dlopen("libvulkan.so.1").
      args: its arguments.
      layer: the layer's library and manifest; None for no layer.
      below: the same of a layer between that one and the driver; None for none.
      settings: layers' settings by their full names, such as {"assay.validate_sync": "true"}.
      expect: regular expressions, each of which must be found in what the program and the layer print.
      reject: regular expressions that must not be found there.
      exit_status: what the program must return.
      mock_driver: whether the mock driver takes the GPU's place.
      data: further files that the program reads.
      tags: tags, besides "gpu".
      **kwargs: of the test.
    """
    driver_data = ["//testing:mock_icd"] if mock_driver else []
    layer_data = [label for label in [layer, below] if label]
    options = ["--run=$(location @vulkan_runtime//:runtime)", "--exit_status=%d" % exit_status]

    # Bazel takes $ for one of its variables, and quotes for the shell's.
    options += ["'--expect=%s'" % pattern.replace("$", "$$") for pattern in expect]
    options += ["'--reject=%s'" % pattern.replace("$", "$$") for pattern in reject]
    options += ["--setting=%s=%s" % (key, settings[key]) for key in sorted(settings)]
    if mock_driver:
        options += ["--driver", "$(locations //testing:mock_icd)"]
    if layer:
        options += ["--layer", "$(locations %s)" % layer]
    if below:
        options += ["--below", "$(locations %s)" % below]
    native.py_test(
        name = name,
        size = kwargs.pop("size", "small"),
        srcs = ["//testing:gpu_test_main.py"],
        main = "//testing:gpu_test_main.py",
        args = options + ["--", "$(location %s)" % binary] + args,
        data = [binary, "@vulkan_runtime//:runtime"] + driver_data + layer_data + data,
        deps = ["//testing:vulkan_program"],
        tags = tags + ["gpu"],
        **kwargs
    )
