# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""All families. Each is a module with a function shaders(), which yields (file name, GLSL)."""

from spirv_instrument.corpus.families import addresses
from spirv_instrument.corpus.families import arithmetic
from spirv_instrument.corpus.families import atomics
from spirv_instrument.corpus.families import compiled_differently
from spirv_instrument.corpus.families import descriptor_arrays
from spirv_instrument.corpus.families import images
from spirv_instrument.corpus.families import matrices
from spirv_instrument.corpus.families import members
from spirv_instrument.corpus.families import printf
from spirv_instrument.corpus.families import sampling
from spirv_instrument.corpus.families import subgroups

FAMILIES = [
    addresses,
    arithmetic,
    atomics,
    compiled_differently,
    descriptor_arrays,
    images,
    matrices,
    members,
    printf,
    sampling,
    subgroups,
]


def all_shaders():
    """Yields (file name, GLSL) of all shaders of all families."""
    for family in FAMILIES:
        yield from family.shaders()
