# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Another parser reads the log as JSON lines and the SARIF file, whatever names they contain."""

import argparse
import json
import os
import re
import sys
import tempfile
import unittest

from testing import vulkan_program

OPTIONS = None
HAZARD = "SYNC-HAZARD-WRITE-AFTER-WRITE"

UTF8 = [
    "plain",
    "it's \"quoted\" \\ and \\\" and \\u0041 and \\n",
    "</script><!-- &amp; %s %n {} ${x}",
    "".join(chr(code) for code in range(1, 0x20)) + "\x7f",
    "\u0080\u009f\u00a0\u00ad\u2028\u2029\u200b\u202e\ufeff\ufffe\uffff",
    "Schatten \u2116 1 \u2013 \u5f71 \U0001f312 \U0001f469\u200d\U0001f680 \U0010ffff",
    "long " * 5000,
    "\U0001f312" * 3000,
    "[1,2]{\"a\":null}//",
]
BROKEN = [
    b"caf\xe9",
    b"\xed\xa0\x80 alone, \xed\xb0\x80 too, \xed\xa0\xbc\xed\xbc\x92 as a pair",
    b"\x80\xbf continued, \xc0\xaf \xe0\x80\xaf overlong, \xf4\x90\x80\x80 beyond, \xff\xfe never",
    b"cut \xf0\x9f\x8c",
    b"\xe2\x82\"\xe2\\\xf0\n",
]
NAMES = [name.encode() for name in UTF8] + BROKEN


def parse(text):
    """The value of a strict JSON text: no constants that JSON does not have, no member twice, only ASCII."""

    def refuse(constant):
        raise ValueError(constant)

    def members(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError("a member twice: %s" % pairs)
        return dict(pairs)

    return json.loads(text.decode("ascii"), parse_constant=refuse, object_pairs_hook=members)


# The objects of SARIF 2.1.0 in the file: their required and their optional members.
SARIF = {
    "log": ({"version", "runs"}, {"$schema", "inlineExternalProperties", "properties"}),
    "run": ({"tool"}, {"results", "invocations", "artifacts", "columnKind", "properties"}),
    "tool": ({"driver"}, {"extensions", "properties"}),
    "driver": ({"name"},
               {"organization", "fullName", "version", "semanticVersion", "informationUri", "rules", "properties"}),
    "rule": ({"id"},
             {"name", "shortDescription", "fullDescription", "help", "helpUri", "defaultConfiguration", "properties"}),
    "result": ({"message"}, {"ruleId", "ruleIndex", "kind", "level", "locations", "suppressions", "properties"}),
    "location": (set(), {"id", "physicalLocation", "logicalLocations", "message", "properties"}),
    "logicalLocation": (set(),
                        {"name", "index", "fullyQualifiedName", "decoratedName", "parentIndex", "kind", "properties"}),
}


class MachineReadableTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            names, lines, sarif = (os.path.join(folder, name) for name in ("names", "log.jsonl", "log.sarif"))
            with open(names, "wb") as file:
                file.writelines(name + b"\0" for name in NAMES)
            settings = {
                "assay.debug_action": "VK_DBG_LAYER_ACTION_LOG_MSG",
                "assay.log_filename": lines,
                "assay.message_format_json": "true",
                "assay.sarif_filename": sarif,
            }
            program = vulkan_program.VulkanProgram(OPTIONS.run, OPTIONS.driver, OPTIONS.layer, settings)
            cls.status, cls.output = program.run([OPTIONS.binary, names])
            with open(lines, "rb") as file:
                cls.lines = [parse(line) for line in file.read().splitlines()]
            with open(sarif, "rb") as file:
                cls.sarif = parse(file.read())
        cls.results = cls.sarif["runs"][0]["results"]

    def expect_names(self, hazards, objects_of, labels_of):
        """One for each name, in their order, with the name of the buffer and of the label."""
        self.assertEqual(len(hazards), len(NAMES))
        for name, hazard in zip(NAMES, hazards):
            expected = name.decode("utf-8", "replace")
            self.assertEqual([each["name"] for each in objects_of(hazard) if each["type"] == "VkBuffer"], [expected])
            self.assertEqual([each["name"] for each in labels_of(hazard)], [expected])

    def expect_members(self, kind, value):
        required, optional = SARIF[kind]
        self.assertLessEqual(required, value.keys())
        self.assertLessEqual(value.keys(), required | optional)

    def test_program_ends_as_it_should(self):
        self.assertEqual(self.status, 0, self.output)

    def test_names_in_lines(self):
        hazards = [line for line in self.lines if line["id"] == HAZARD]
        self.expect_names(hazards, lambda line: line["objects"], lambda line: line["command_buffer_labels"])

    def test_names_in_sarif(self):
        hazards = [result for result in self.results if result["ruleId"] == HAZARD]
        self.expect_names(hazards, lambda result: result["properties"]["objects"],
                          lambda result: result["properties"]["commandBufferLabels"])

    def test_broken_names_are_told_and_nothing_else(self):
        others = sorted(line["id"] for line in self.lines if line["id"] != HAZARD)
        broken = [
            "VUID-VkDebugUtilsLabelEXT-pLabelName-parameter",
            "VUID-VkDebugUtilsObjectNameInfoEXT-pObjectName-parameter",
        ]
        self.assertEqual(others, sorted(broken * len(BROKEN)))

    def test_lines_and_sarif_tell_the_same(self):
        self.assertEqual([(line["id"], line["severity"]) for line in self.lines],
                         [(result["ruleId"], result["level"]) for result in self.results])

    def test_text_has_no_control_characters(self):
        for text in [line["text"] for line in self.lines] + [result["message"]["text"] for result in self.results]:
            self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\x7f]")

    def test_sarif_is_by_the_standard(self):
        self.expect_members("log", self.sarif)
        self.assertEqual(self.sarif["version"], "2.1.0")
        self.assertEqual(len(self.sarif["runs"]), 1)
        run = self.sarif["runs"][0]
        self.expect_members("run", run)
        self.expect_members("tool", run["tool"])
        self.expect_members("driver", run["tool"]["driver"])
        self.assertEqual(run["tool"]["driver"]["name"], "Assay")
        rules = run["tool"]["driver"]["rules"]
        for rule in rules:
            self.expect_members("rule", rule)
            if rule["id"].startswith("VUID-"):
                self.assertNotEqual(rule["fullDescription"]["text"], "")
                self.assertRegex(rule["helpUri"], "^https://.*" + re.escape(rule["id"]))
        # Each once.
        self.assertEqual(sorted(rule["id"] for rule in rules), sorted({result["ruleId"] for result in self.results}))

    def test_sarif_results_are_by_the_standard(self):
        for result in self.results:
            self.expect_members("result", result)
            self.assertEqual(result["level"], "error")
            self.assertNotEqual(result["message"]["text"], "")
            logical = [each for location in result["locations"] for each in location["logicalLocations"]]
            for location in result["locations"]:
                self.expect_members("location", location)
            for each in logical:
                self.expect_members("logicalLocation", each)
                self.assertNotEqual(each["fullyQualifiedName"], "")
            self.assertEqual(logical[0]["kind"], "function")
            self.assertRegex(logical[0]["name"], r"^vk\w+$")


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser()
    PARSER.add_argument("--run", required=True)
    PARSER.add_argument("--binary", required=True)
    PARSER.add_argument("--driver", nargs="+", required=True)
    PARSER.add_argument("--layer", nargs="+", required=True)
    OPTIONS, REST = PARSER.parse_known_args()
    sys.exit(unittest.main(argv=sys.argv[:1] + REST))
