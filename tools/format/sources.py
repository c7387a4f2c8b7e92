# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The C++ files of the checkout itself, which programs rewrite and tests look at without their being inputs."""

import os

from tools.layout import checkout


def root():
    """Returns the checkout that `bazel run` was called in or, in a test, the one that its sources come from."""
    # Bazel links sources to where they are.
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    return os.environ.get("BUILD_WORKSPACE_DIRECTORY", here)


def cpp_files():
    """Returns the paths of its C++ files, relative to its root."""
    return [path for path in checkout.Checkout(root()).files if path.endswith((".cc", ".h"))]
