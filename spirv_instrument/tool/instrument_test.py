# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The command, called as users call it: what it reads and writes, and what it says."""

import os
import struct
import subprocess
import tempfile
import unittest

COMMAND = "spirv_instrument/tool/instrument"

SHADER = """; SPIR-V
; Version: 1.3
OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%print = OpExtInstImport "NonSemantic.DebugPrintf"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "shader.comp"
%format = OpString "%s"
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
OpDecorate %Block Block
OpMemberDecorate %Block 0 Offset 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%uint_0 = OpConstant %uint 0
%Block = OpTypeStruct %uint
%pointer_Block = OpTypePointer StorageBuffer %Block
%pointer_uint = OpTypePointer StorageBuffer %uint
%buffer = OpVariable %pointer_Block StorageBuffer
%main = OpFunction %void None %function
%entry = OpLabel
%address = OpAccessChain %pointer_uint %buffer %uint_0
%value = OpLoad %uint %address
OpLine %file 7 5
%quotient = OpUDiv %uint %value %value
%printed = OpExtInst %void %print 1 %format %quotient
OpStore %address %quotient
OpReturn
OpFunctionEnd
"""


def run(*arguments, **options):
    """Calls the command, and returns what subprocess.run returns. Output is bytes."""
    return subprocess.run([os.path.abspath(COMMAND), *arguments], capture_output=True, check=False, **options)


class InstrumentTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.input = os.path.join(folder.name, "in.spvasm")
        self.output = os.path.join(folder.name, "out.spv")
        with open(self.input, "w", encoding="utf-8") as file:
            file.write(SHADER)

    def test_writes_the_module(self):
        done = run("--pass", "undefined_arithmetic", self.input, "-o", self.output)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        with open(self.output, "rb") as file:
            words = file.read()
        magic, version = struct.unpack("<II", words[:8])
        self.assertEqual(magic, 0x07230203)
        self.assertEqual(version, 0x00010300)

    def test_the_result_can_be_read_again(self):
        run("--pass", "undefined_arithmetic", self.input, "-o", self.output)
        done = run("--pass", "block_counts", "--set", "6", self.output, "--stats")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_standard_input_and_output_are_the_same_as_files(self):
        run("--pass", "undefined_arithmetic", self.input, "-o", self.output)
        done = run("--pass", "undefined_arithmetic", "-", "-o", "-", input=SHADER.encode())
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.output, "rb") as file:
            self.assertEqual(done.stdout, file.read())

    def test_diff_has_what_was_added_and_nothing_that_was_not_changed(self):
        done = run("--pass", "undefined_arithmetic", self.input, "--diff")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.decode().splitlines()
        self.assertEqual(lines[0], "--- " + self.input)
        self.assertTrue(any(line.startswith("+") and "ReportArithmetic" in line for line in lines))
        self.assertFalse([line for line in lines if line.startswith("-") and "OpStore" in line])

    def test_diff_is_empty_if_nothing_changes(self):
        done = run("--pass", "device_address", self.input, "--diff")
        self.assertEqual((done.returncode, done.stdout), (0, b""))

    def test_stats_name_each_pass_and_its_checks(self):
        done = run("--pass", "undefined_arithmetic,block_counts", self.input, "--stats")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [line.split() for line in done.stdout.decode().splitlines()]
        rows = {line[0]: line[3:] for line in lines if len(line) > 3}
        self.assertEqual(rows["undefined_arithmetic"], ["1", "emitted"])
        self.assertEqual(rows["block_counts"], ["1", "emitted"])

    def test_wrong_formats_are_named_with_their_place(self):
        done = run("--pass", "debug_printf", self.input)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(
            done.stderr.decode(), 'warning: shader.comp:7:5: debugPrintf("%s"): "%s" prints a string, and the argument '
            "is an unsigned integer of 32 bits.\n")

    def test_a_file_that_is_not_there_is_an_error(self):
        done = run("--pass", "all", "none.spv")
        self.assertEqual((done.returncode, done.stderr), (1, b"instrument: none.spv: the file cannot be read\n"))

    def test_a_module_that_is_not_valid_is_an_error(self):
        done = run("--pass", "all", "-", input=SHADER.replace("OpReturn\n", "").encode())
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.startswith(b"instrument: - is not valid: "), done.stderr)

    def test_a_descriptor_set_that_is_used_is_an_error(self):
        done = run("--pass", "undefined_arithmetic", "--set", "0", self.input)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.startswith(b"instrument: "), done.stderr)

    def test_wrong_options_have_a_status_of_their_own(self):
        done = run("--pass", "nonsense", self.input)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, b'instrument: --pass: "nonsense" is no pass; --help lists them\n')

    def test_help_lists_the_passes(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"undefined_arithmetic", done.stdout)


if __name__ == "__main__":
    unittest.main()
