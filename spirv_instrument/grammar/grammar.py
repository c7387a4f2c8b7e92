# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The typed model of the SPIR-V grammar, and how it is read from the grammar files of SPIRV-Headers."""

import collections
import json
import os

# kind: its name; quantifier: "", "?" or "*".
Operand = collections.namedtuple("Operand", "kind quantifier")

# version is (major, minor), or None where only an extension has it.
Opcode = collections.namedtuple("Opcode", "name number operands capabilities extensions version")
Enumerant = collections.namedtuple("Enumerant", "name value parameters capabilities extensions version")

# category as in the grammar; parts: kinds that a composite consists of.
OperandKind = collections.namedtuple("OperandKind", "name category enumerants parts")

ExtendedInstruction = collections.namedtuple("ExtendedInstruction", "name number operands")
ExtendedSet = collections.namedtuple("ExtendedSet", "name instructions")

Grammar = collections.namedtuple("Grammar", "version kinds opcodes sets")

# What OpExtInstImport calls the set of a grammar file.
SET_NAMES = {
    "extinst.debuginfo.grammar.json": "DebugInfo",
    "extinst.glsl.std.450.grammar.json": "GLSL.std.450",
    "extinst.nonsemantic.clspvreflection.grammar.json": "NonSemantic.ClspvReflection.5",
    "extinst.nonsemantic.debugprintf.grammar.json": "NonSemantic.DebugPrintf",
    "extinst.nonsemantic.shader.debuginfo.100.grammar.json": "NonSemantic.Shader.DebugInfo.100",
    "extinst.nonsemantic.vkspreflection.grammar.json": "NonSemantic.VkspReflection.1",
    "extinst.opencl.debuginfo.100.grammar.json": "OpenCL.DebugInfo.100",
    "extinst.opencl.std.100.grammar.json": "OpenCL.std",
    "extinst.spv-amd-gcn-shader.grammar.json": "SPV_AMD_gcn_shader",
    "extinst.spv-amd-shader-ballot.grammar.json": "SPV_AMD_shader_ballot",
    "extinst.spv-amd-shader-explicit-vertex-parameter.grammar.json": "SPV_AMD_shader_explicit_vertex_parameter",
    "extinst.spv-amd-shader-trinary-minmax.grammar.json": "SPV_AMD_shader_trinary_minmax",
}


def _version(entry):
    text = entry.get("version", "None")
    return None if text == "None" else tuple(int(part) for part in text.split("."))


def _number(value):
    return int(value, 0) if isinstance(value, str) else value


def _operands(entries):
    return tuple(Operand(entry["kind"], entry.get("quantifier", "")) for entry in entries)


def _needs(entry):
    """(capabilities, extensions, version) that an opcode or enumerant needs."""
    return tuple(entry.get("capabilities", ())), tuple(entry.get("extensions", ())), _version(entry)


def _enumerants(entry):
    """The enumerants by value. Where several names have one value, the first one stays."""
    found = {}
    for item in entry.get("enumerants", ()):
        value = _number(item["value"])
        # The mask without any bit is no bit.
        if entry["category"] == "BitEnum" and value == 0:
            continue
        parameters = _operands(item.get("parameters", ()))
        found.setdefault(value, Enumerant(item["enumerant"], value, parameters, *_needs(item)))
    return tuple(found[value] for value in sorted(found))


def _kinds(core):
    return {
        entry["kind"]: OperandKind(entry["kind"], entry["category"], _enumerants(entry), tuple(entry.get("bases", ())))
        for entry in core["operand_kinds"]
    }


def _opcodes(core):
    found = {}
    for entry in core["instructions"]:
        opcode = Opcode(entry["opname"], entry["opcode"], _operands(entry.get("operands", ())), *_needs(entry))
        found.setdefault(opcode.number, opcode)
    return tuple(found[number] for number in sorted(found))


def _extended_operands(entries, kinds):
    """A kind that only the set has is an enumeration without parameters, and so a literal like others."""
    return tuple(Operand(operand.kind if operand.kind in kinds else "LiteralInteger", operand.quantifier)
                 for operand in _operands(entries))


def _extended_set(name, grammar, kinds):
    found = {}
    for entry in grammar["instructions"]:
        operands = _extended_operands(entry.get("operands", ()), kinds)
        found.setdefault(entry["opcode"], ExtendedInstruction(entry["opname"], entry["opcode"], operands))
    return ExtendedSet(name, tuple(found[number] for number in sorted(found)))


def from_json(core, extended):
    """The grammar of the core file's contents and of {set's name: contents}."""
    kinds = _kinds(core)
    sets = tuple(_extended_set(name, extended[name], kinds) for name in sorted(extended))
    return Grammar((core["major_version"], core["minor_version"]), kinds, _opcodes(core), sets)


def load(core_path, extended_paths):
    """Reads grammar files. A file of an extended set that SET_NAMES does not have is an error."""
    def contents(path):
        with open(path, encoding="utf-8") as text:
            return json.load(text)

    paths = {SET_NAMES[os.path.basename(path)]: path for path in extended_paths}
    return from_json(contents(core_path), {name: contents(path) for name, path in paths.items()})
