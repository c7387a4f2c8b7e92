# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0

import json
import sys
import unittest

from registry import vuids
from registry.model import Vuid
from registry.spirv import builtin_rules
from registry.spirv import emit_builtin_rules

_GRAMMAR = {
    "operand_kinds": [
        {"kind": "BuiltIn",
         "enumerants": [{"enumerant": "A"},
                        {"enumerant": "SizeEXT", "aliases": ["SizeNV"], "capabilities": ["Sizes"]}]},
        {"kind": "ExecutionModel",
         "enumerants": [{"enumerant": "Vertex"}, {"enumerant": "AnyHitKHR", "aliases": ["AnyHitNV"]},
                        {"enumerant": "MeshEXT"}, {"enumerant": "MeshNV"}]},
        {"kind": "StorageClass", "enumerants": [{"enumerant": "Input"}, {"enumerant": "Output"}]},
        {"kind": "ExecutionMode", "enumerants": [{"enumerant": "OutputLinesEXT", "aliases": ["OutputLinesNV"]}]},
        {"kind": "Capability",
         "enumerants": [{"enumerant": "Geometry"}, {"enumerant": "Tessellation"},
                        {"enumerant": "Sizes", "extensions": ["SPV_EXT_size", "SPV_NV_size"]}]},
        {"kind": "Decoration", "enumerants": [{"enumerant": "PerViewNV"}]},
    ]
}  # yapf: disable
_INPUT, _OUTPUT = ("StorageClass", "Input"), ("StorageClass", "Output")

# What no row can say: what a shader computes, or what pipelines, acceleration structures and devices have.
_DYNAMIC = {
    "VUID-FullyCoveredEXT-conservativeRasterizationPostDepthCoverage-04235",
    "VUID-HitTriangleVertexPositionsKHR-HitTriangleVertexPositionsKHR-08750",
    "VUID-HitTriangleVertexPositionsKHR-None-08751",
    "VUID-Layer-Layer-04273",
    "VUID-PrimitiveId-Fragment-04331",
    "VUID-PrimitiveId-Fragment-04332",
    "VUID-PrimitiveIndicesNV-PrimitiveIndicesNV-04341",
    "VUID-PrimitiveLineIndicesEXT-PrimitiveLineIndicesEXT-07051",
    "VUID-PrimitivePointIndicesEXT-PrimitivePointIndicesEXT-07045",
    "VUID-PrimitiveShadingRateKHR-PrimitiveShadingRateKHR-04487",
    "VUID-PrimitiveShadingRateKHR-PrimitiveShadingRateKHR-04488",
    "VUID-PrimitiveShadingRateKHR-PrimitiveShadingRateKHR-04489",
    "VUID-PrimitiveTriangleIndicesEXT-PrimitiveTriangleIndicesEXT-07057",
    "VUID-ViewportIndex-ViewportIndex-04405",
    "VUID-ViewportMaskPerViewNV-ViewportMaskPerViewNV-04416",
}


def _read(*sentences, owner="A"):
    ids = [Vuid(f"VUID-{owner}-{owner}-{i:05}", text, "") for i, text in enumerate(sentences)]
    return builtin_rules.parse(ids, builtin_rules.Names(_GRAMMAR))


def _row(sentence):
    rows, _ = _read(sentence)
    return rows[0] if rows else None


class SentenceTest(unittest.TestCase):
    def test_models(self):
        row = _row("The A decoration must be used only within the AnyHitNV, or Vertex Execution Model")
        self.assertEqual((row.kind, row.models, row.built_in), ("Models", ["AnyHitKHR", "Vertex"], "A"))
        self.assertIsNone(_row("The A decoration must be used only within the Vertex or Other Execution Model"))
        self.assertIsNone(_row("The B decoration must be used only within the Vertex Execution Model"))

    def test_storage_classes(self):
        row = _row("The variable decorated with A must be declared using the Input or Output Storage Class")
        self.assertEqual((row.kind, row.models, row.operands), ("StorageClasses", [], [_INPUT, _OUTPUT]))
        row = _row("The variable decorated with A within the MeshEXT, MeshNV or Vertex Execution Model must not be "
                   "declared in a Storage Class other than Output")
        self.assertEqual((row.models, row.operands), (["MeshEXT", "MeshNV", "Vertex"], [_OUTPUT]))

    def test_types(self):
        types = {
            "a scalar 32-bit integer value": builtin_rules.BuiltInType("Int", 32),
            "a scalar integer value": builtin_rules.BuiltInType("Int"),
            "a boolean value": builtin_rules.BuiltInType("Bool"),
            "a two-component vector of 32-bit integer values": builtin_rules.BuiltInType("Int", 32, components=2),
            "a matrix with four columns of three-component vectors of 32-bit floating-point values":
                builtin_rules.BuiltInType("Float", 32, components=3, columns=4),
            "an array of scalar 32-bit integer values": builtin_rules.BuiltInType("Int", 32, arrays=1),
            "an array of three component vector 32-bit integer values":
                builtin_rules.BuiltInType("Int", 32, components=3, arrays=1),
            "an array of size two, containing three-component vector of 32-bit floating-point values":
                builtin_rules.BuiltInType("Float", 32, components=3, arrays=1, size=2),
            "an array of three vectors of three 32-bit float values":
                builtin_rules.BuiltInType("Float", 32, components=3, arrays=1, size=3),
            "a two-dimensional array of 32-bit floating-point values":
                builtin_rules.BuiltInType("Float", 32, arrays=2),
        }
        for text, expected in types.items():
            row = _row(f"The variable decorated with A must be declared as {text}")
            self.assertEqual((row.kind, row.type), ("Type", expected), text)
        for text in ("a scalar 64-bit integer value", "an array of 32-bit floating-point values with many elements"):
            self.assertIsNone(_row(f"The variable decorated with A must be declared as {text}"), text)

    def test_except(self):
        row = _row("The variable decorated with A must be declared as a boolean value for all supported execution "
                   "models except MeshEXT.")
        self.assertEqual((row.models, row.excludes_models), (["MeshEXT"], True))

    def test_meshes(self):
        row = _row("If the Execution Mode is OutputLinesNV, then the array decorated with A must be the size of two "
                   "times the value specified by OutputPrimitivesNV")
        self.assertEqual((row.kind, row.operands), ("PrimitiveCount", [2, ("ExecutionMode", "OutputLinesEXT")]))
        row = _row("A within the MeshEXT Execution Model must decorate a scalar boolean member of a structure "
                   "decorated as Block, or decorate a variable of type OpTypeArray of boolean values.")
        self.assertEqual((row.kind, row.type.scalar), ("PrimitiveType", "Bool"))
        row = _row("The variable decorated with A must also be decorated with the PerViewNV decoration")
        self.assertEqual((row.kind, row.operands), ("Decoration", [("Decoration", "PerViewNV")]))

    def test_two_names(self):
        ids = [Vuid(f"VUID-{name}-{name}-0000{i}",
                    f"The variable decorated with {name} must be declared using the Input Storage Class", "")
               for i, name in enumerate(["SizeEXT", "SizeNV", "A"])]
        rows, _ = builtin_rules.parse(ids, builtin_rules.Names(_GRAMMAR))
        self.assertEqual([(row.built_in, row.extension) for row in rows],
                         [("A", ""), ("SizeEXT", "SPV_EXT_size"), ("SizeEXT", "SPV_NV_size")])
        text = emit_builtin_rules.builtin_rule_data(rows, {"VUID-SizeEXT-SizeEXT-00000"})
        self.assertEqual(text.count("BuiltInRuleKind::kStorageClasses, true,"), 2)
        self.assertIn('"SPV_NV_size"', text)

    def test_left_out(self):
        self.assertIn("does not have", _read("Sentence", owner="None")[1][0][1])
        sentence = "The A decoration must be nice"
        self.assertEqual(_read(sentence)[1], [("VUID-A-A-00000", sentence)])
        self.assertEqual(_read("Sentence", owner="VkImageCreateInfo"), ([], []))


class EmitTest(unittest.TestCase):
    def test_row(self):
        row = _row("The variable decorated with A must be declared using the Input Storage Class")
        self.assertIn("spv::BuiltIn::A, BuiltInRuleKind::kStorageClasses, true,",
                      emit_builtin_rules.builtin_rule_data([row], {row.id}))

    def test_reported_ids(self):
        self.assertEqual(emit_builtin_rules.reported_ids("return VUID_WRAP(VUID-A-A-00001);"), {"VUID-A-A-00001"})
        with self.assertRaises(ValueError):
            emit_builtin_rules.reported_ids("return ID(VUID-A-A-00001);")


class SpecificationTest(unittest.TestCase):
    def test_what_is_not_understood(self):
        with open(sys.argv[1], encoding="utf-8") as file:
            names = builtin_rules.Names(json.load(file))
        rows, left_out = builtin_rules.parse(vuids.parse(sys.argv[2]), names)
        understood = ("does not have the built-in", "GL_AMD")
        unread = {i for i, why in left_out if not any(words in why for words in understood)}
        self.assertEqual(unread, _DYNAMIC)
        self.assertGreater(len(rows), 350)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
