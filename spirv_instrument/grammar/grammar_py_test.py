# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Small grammars become the model and the tables that they should."""

import unittest

from spirv_instrument.grammar import emit
from spirv_instrument.grammar import grammar

CORE = {
    "major_version": 1,
    "minor_version": 6,
    "instructions": [
        {"opname": "OpLoad", "opcode": 61, "version": "1.0", "operands": [
            {"kind": "IdResultType"}, {"kind": "IdResult"}, {"kind": "IdRef"}, {"kind": "Access", "quantifier": "?"}]},
        {"opname": "OpNop", "opcode": 0, "version": "1.0"},
        {"opname": "OpTypeQuery", "opcode": 70, "extensions": ["SPV_query"], "capabilities": ["Query"],
         "version": "None", "operands": [{"kind": "IdResult"}]},
        {"opname": "OpTypeQueryAlias", "opcode": 70, "version": "None", "operands": [{"kind": "IdResult"}]},
        {"opname": "OpPick", "opcode": 80, "version": "1.1", "operands": [
            {"kind": "IdRef"}, {"kind": "LiteralInteger"}, {"kind": "IdRef", "quantifier": "*"}]},
        {"opname": "OpPairs", "opcode": 81, "version": "1.1", "operands": [
            {"kind": "Pair"}, {"kind": "Pair", "quantifier": "*"}]},
        {"opname": "OpMode", "opcode": 82, "version": "1.1", "operands": [
            {"kind": "Mode"}, {"kind": "LiteralInteger", "quantifier": "?"}]},
    ],
    "operand_kinds": [
        {"category": "Id", "kind": "IdResultType"},
        {"category": "Id", "kind": "IdResult"},
        {"category": "Id", "kind": "IdRef"},
        {"category": "Literal", "kind": "LiteralInteger"},
        {"category": "BitEnum", "kind": "Access", "enumerants": [
            {"enumerant": "None", "value": "0x0000", "version": "1.0"},
            {"enumerant": "Aligned", "value": "0x0002", "version": "1.0", "parameters": [{"kind": "LiteralInteger"}]},
            {"enumerant": "Volatile", "value": "0x0001", "version": "1.0"}]},
        {"category": "ValueEnum", "kind": "Mode", "enumerants": [
            {"enumerant": "Zero", "value": 0, "version": "1.0"},
            {"enumerant": "One", "value": 1, "version": "1.3"},
            {"enumerant": "OneAlias", "value": 1, "version": "1.3"}]},
        {"category": "Composite", "kind": "Pair", "bases": ["LiteralInteger", "IdRef"]},
    ],
}

EXTENDED = {
    "Ids": {"instructions": [{"opname": "B", "opcode": 2, "operands": [{"kind": "IdRef", "quantifier": "*"}]},
                             {"opname": "A", "opcode": 1}]},
    "Own": {"instructions": [{"opname": "C", "opcode": 0, "operands": [{"kind": "OwnFlags"}]}]},
}


def model():
    return grammar.from_json(CORE, EXTENDED)


def opcode(name):
    return next(entry for entry in model().opcodes if entry.name == name)


class ModelTest(unittest.TestCase):

    def test_opcodes_are_sorted_and_have_their_first_name(self):
        self.assertEqual([entry.name for entry in model().opcodes],
                         ["OpNop", "OpLoad", "OpTypeQuery", "OpPick", "OpPairs", "OpMode"])

    def test_what_an_opcode_needs(self):
        query = opcode("OpTypeQuery")
        self.assertEqual((query.capabilities, query.extensions, query.version), (("Query",), ("SPV_query",), None))
        self.assertEqual(opcode("OpPick").version, (1, 1))

    def test_enumerants(self):
        kinds = model().kinds
        self.assertEqual([(item.name, item.value) for item in kinds["Access"].enumerants],
                         [("Volatile", 1), ("Aligned", 2)])
        self.assertEqual([(item.name, item.value) for item in kinds["Mode"].enumerants], [("Zero", 0), ("One", 1)])
        self.assertEqual(kinds["Access"].enumerants[1].parameters, (("LiteralInteger", ""),))

    def test_extended_sets(self):
        ids, own = model().sets
        self.assertEqual([(item.name, item.number) for item in ids.instructions], [("A", 1), ("B", 2)])
        # A kind of the set's own is a literal.
        self.assertEqual(own.instructions[0].operands, (("LiteralInteger", ""),))

    def test_file_of_an_unknown_set(self):
        with self.assertRaises(KeyError):
            grammar.load("/dev/null", ["extinst.unheard.grammar.json"])


class ShapeTest(unittest.TestCase):

    def assert_shape(self, name, min_words, max_words, simple_words, id_bits):
        """Expects the shape of an opcode of CORE."""
        shape = emit.Shape(opcode(name).operands, model().kinds)
        self.assertEqual((shape.min_words, shape.max_words, shape.simple_words, shape.id_bits),
                         (min_words, max_words, simple_words, id_bits))

    def test_no_operands(self):
        self.assert_shape("OpNop", 1, 1, 1, 0)

    def test_operand_with_parameters_ends_what_is_simple(self):
        self.assert_shape("OpLoad", 4, emit.NO_LIMIT, 4, 0b1)

    def test_last_operand_stands_for_all_others(self):
        self.assert_shape("OpPick", 3, emit.NO_LIMIT, emit.NO_LIMIT, 0xfffffffd)

    def test_pairs(self):
        self.assert_shape("OpPairs", 3, emit.NO_LIMIT, 1, 0)

    def test_enumerants_without_parameters_are_words(self):
        self.assert_shape("OpMode", 2, 3, 3, 0)


class EmitTest(unittest.TestCase):

    def test_kinds_in_the_order_of_the_grammar(self):
        header = emit.outputs(model())["operand_kind.h"]
        self.assertIn("enum class OperandKind : uint8_t {\n  kIdResultType,\n  kIdResult,\n  kIdRef,\n", header)

    def test_rows(self):
        source = emit.outputs(model())["grammar_data.cc"]
        self.assertIn('{"OpTypeQuery", {kPatterns + ', source)
        self.assertIn(", kNoVersion, 70, OpcodeGroup::kType, false, true, 2, 2, 2, 0x0}", source)
        self.assertIn(", 0x00010000, 61, OpcodeGroup::kOther, true, true, 4, 65535, 4, 0x1}", source)
        self.assertIn('{"Ids", true, {kSet0}}', source)
        self.assertIn('{"Own", false, {kSet1}}', source)

    def test_output_is_the_same_each_time(self):
        self.assertEqual(emit.outputs(model()), emit.outputs(model()))


if __name__ == "__main__":
    unittest.main()
