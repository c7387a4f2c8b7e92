# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""debugPrintf: every conversion, vectors, 8, 16 and 64 bits, strings, and several prints of several invocations.

A driver without debugPrintf ignores it. So each shader also writes a buffer, for which it does not matter.
"""

from spirv_instrument.corpus.families import glsl

CODE = """
layout(set = 0, binding = 0) writeonly buffer Out {{ uint result; }};
layout(push_constant) uniform Push {{ int i; uint u; float f; }};

void main() {{
{body}
  result = u;
}}
"""

# (name, format and arguments as in GLSL, what is printed). Pushed are i = -7, u = 42 and f = 2.5.
PRINTS = [
    ("no_arguments", '"nothing"', "nothing"),
    ("percent", '"100%% of %u", u', "100% of 42"),
    ("d", '"%d", i', "-7"),
    ("i", '"%i and %i", i, i + 1', "-7 and -6"),
    ("u", '"%u", u', "42"),
    ("o", '"%o", u', "52"),
    ("x", '"%x %X", u, u', "2a 2A"),
    ("f", '"%f %F", f, f', "2.500000 2.500000"),
    ("e", '"%e %E", f, f', "2.500000e+00 2.500000E+00"),
    ("g", '"%g %G", f, f * 1e10', "2.5 2.5E+10"),
    ("a", '"%a", f', "0x1.4p+1"),
    ("width", '"[%5u] [%-5u] [%05u]", u, u, u', "[   42] [42   ] [00042]"),
    ("precision", '"%.2f %8.3f %.0f", f, f, f * 2', "2.50    2.500 5"),
    ("v2f", '"%v2f", vec2(f, 1.0)', "2.500000, 1.000000"),
    ("v3d", '"%v3d", ivec3(i, 0, 1)', "-7, 0, 1"),
    ("v4u", '"%v4u", uvec4(u, 1, 2, 3)', "42, 1, 2, 3"),
    ("v4x", '"%v4x", uvec4(u, 1, 2, 255)', "2a, 1, 2, ff"),
    ("v2_precision", '"%1.2v2f", vec2(f, 1.0)', "2.50, 1.00"),
    ("ul", '"%ul", uint64_t(u) << 32', "180388626432"),
    ("lu", '"%lu", uint64_t(u) << 32', "180388626432"),
    ("lx", '"0x%lx", uint64_t(u) << 32', "0x2a00000000"),
    ("ld", '"%ld", int64_t(i) * 10000000000l', "-70000000000"),
    ("v2ul", '"%v2ul", u64vec2(u, 1ul << 40)', "42, 1099511627776"),
    ("uint8", '"%u", uint8_t(u)', "42"),
    ("int8", '"%d", int8_t(i)', "-7"),
    ("uint16", '"%u", uint16_t(u)', "42"),
    ("int16", '"%d", int16_t(i)', "-7"),
    ("float16", '"%f", float16_t(f)', "2.500000"),
    ("double", '"%f", double(f)', "2.500000"),
    ("bool", '"%u", u > 1', "1"),
    ("many", '"%d %u %f %x %d %u %f %x", i, u, f, u, i, u, f, u', "-7 42 2.500000 2a -7 42 2.500000 2a"),
]

TYPES = ("uint8", "int8", "uint16", "int16", "float16", "double", "ul", "lu", "lx", "ld", "v2ul")


def _shader(name, arguments, printed):
    directives = ["buffer out 4", "bind 0.0 storage out", "push i32 -7 u32 42 f32 2.5", "expect out 0 : u32 42",
                  "prints " + printed]
    extensions = ["GL_EXT_debug_printf"]
    if name in TYPES:
        extensions.append(glsl.ALL_TYPES)
    return glsl.shader("debugPrintf with %s." % arguments.replace("\n", ""), directives,
                       CODE.format(body="  debugPrintfEXT(%s);" % arguments), extensions)


def _in_control_flow():
    directives = ["buffer out 4", "bind 0.0 storage out", "push i32 3 u32 42 f32 2.5", "dispatch 2",
                  "expect out 0 : u32 42"]
    directives += ["prints group %d step %d" % (group, step) for group in range(2) for step in (0, 2)]
    body = """  for (int step = 0; step < i; ++step) {
    if (step == 1) continue;
    debugPrintfEXT("group %u step %d", gl_WorkGroupID.x, step);
  }"""
    return glsl.shader("debugPrintf in a loop, by several invocations.", directives, CODE.format(body=body),
                       ["GL_EXT_debug_printf"])


def shaders():
    """Yields (file name, GLSL)."""
    for name, arguments, printed in PRINTS:
        yield "printf_%s.comp" % name, _shader(name, arguments, printed)
    yield "printf_in_control_flow.comp", _in_control_flow()
