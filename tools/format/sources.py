# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The C++ files of the checkout itself, which programs rewrite and tests look at without their being inputs."""

from tools.layout import checkout


def cpp_files():
    """Returns the paths of its C++ files, relative to its root."""
    return [path for path in checkout.Checkout(checkout.find_root()).files if path.endswith((".cc", ".h"))]
