# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The page in a browser, with 100,000 commands: it draws little at a time, reacts, and needs no network."""

import argparse
import os
import subprocess
import sys
import unittest

from syncval.trace.page.browser import Page

OPTIONS = None
COMMANDS = 100000
# Draws ten frames at each of many zooms. Takes the best of the ten at each zoom, since the machine does other things as
# well. Returns the longest of these and the median of all frames, in milliseconds.
MEASURE = """(() => {
  const {timeline, model} = window.assay;
  let slowest = 0;
  const all = [];
  for (let ticks = model.end * 1.2; ticks > 20; ticks /= 3) {
    const times = [];
    for (let i = 0; i < 10; ++i) {
      timeline.setView(i / 10 * (model.end - ticks), ticks);
      const begin = performance.now();
      timeline.draw();
      timeline.context.getImageData(0, 0, 1, 1);
      times.push(performance.now() - begin);
    }
    slowest = Math.max(slowest, Math.min(...times));
    all.push(...times);
  }
  all.sort((a, b) => a - b);
  return [slowest, all[all.length >> 1]];
})()"""


class PageTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        path = os.path.join(os.environ["TEST_TMPDIR"], "large.html")
        subprocess.run([OPTIONS.large_trace, path], check=True)
        cls.url = "file://" + path

    def open(self, dark=False):
        """Opens the page and waits until it is drawn."""
        page = self.enterContext(Page(OPTIONS.browser, self.url, dark=dark))
        page.wait_for("window.assay && window.assay.loadTime !== undefined")
        page.settle()
        return page

    def enterContext(self, context):  # unittest has it since Python 3.11.
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def selected(self, page):
        return page.evaluate("window.assay.timeline.selected && "
                             "[window.assay.timeline.selected.kind, window.assay.timeline.selected.id]")

    def place_of(self, page, command):
        """Where on the screen a command is that is in view."""
        return page.evaluate("(() => { const {timeline, model} = window.assay;"
                             "const b = timeline.canvas.getBoundingClientRect();"
                             "return [b.x + timeline.xOf(model.beginOf[%d] + 0.5),"
                             "b.y + timeline.commandTop(model.queueOf(%d)) + 8]; })()" % (command, command))

    def test_draws_little_at_a_time(self):
        page = self.open()
        self.assertEqual(page.evaluate("window.assay.model.commandCount"), COMMANDS)
        load = page.evaluate("window.assay.loadTime")
        slowest, median = page.evaluate(MEASURE)
        print("100,000 commands: put together in %.0f ms; a frame takes %.1f ms at the slowest zoom, "
              "the median is %.1f ms" % (load, slowest, median))
        # How long that is depends on the machine. Never more rectangles than a row has pixels, for some rows.
        self.assertLess(page.evaluate("window.assay.timeline.slices"), 1280 * 10)
        self.assertEqual(page.errors(), [])

    def test_asks_for_nothing_but_itself(self):
        page = self.open()
        self.assertEqual(page.requests(), [self.url])

    def test_click_shows_a_command_and_its_resources(self):
        page = self.open()
        page.evaluate("window.assay.timeline.setView(0, 100)")
        page.settle()
        command = page.evaluate("window.assay.model.lanes[0].commands.ids[3]")
        page.evaluate("window.assay.timeline.setView(window.assay.model.beginOf[%d] - 20, 60)" % command)
        page.settle()
        page.click(*self.place_of(page, command))
        self.assertEqual(self.selected(page), ["command", command])
        text = page.evaluate("document.getElementById('details').innerText")
        self.assertIn("vkCmdCopyBuffer()", text)
        self.assertIn("command 4 of VkCommandBuffer 0x1[draw 0]", text)
        self.assertIn("part 0", text)
        resource = page.evaluate("document.querySelector('#details li .link').textContent")
        page.click_on("#details li .link")
        # Its accesses, in order, with the barriers between.
        self.assertEqual(page.evaluate("document.querySelector('#details h2').textContent"), resource)
        history = page.evaluate("historyOf(window.assay.model, window.assay.panel.resource).map((h) => "
                                "[h.command, h.accesses.length, h.barriers.length])")
        self.assertEqual(history, sorted(history))
        self.assertGreater(sum(1 for entry in history if entry[1]), 100)
        self.assertGreater(sum(1 for entry in history if entry[2]), 20)
        rows = page.evaluate("[...document.querySelectorAll('#details li')].map((row) => row.className)")
        self.assertIn("between", rows)
        # On to the second of them.
        page.click_on("#details li:nth-child(2) .link")
        self.assertEqual(self.selected(page), ["command", history[1][0]])

    def test_search(self):
        page = self.open()
        page.key("/")
        page.type("[simulate 42]")
        self.assertEqual(page.evaluate("document.getElementById('found').textContent"), "1 found")
        page.key("Enter")
        self.assertEqual(page.evaluate("window.assay.model.titleOf(window.assay.timeline.selected)"),
                         "VkCommandBuffer 0x2[simulate 42]")
        page.evaluate("document.getElementById('query').value = ''")
        page.type("vkcmdcopy")
        self.assertEqual(page.evaluate("document.getElementById('found').textContent"), "25,000 found")
        page.key("Enter")
        first = self.selected(page)
        page.click_on("#next")
        self.assertNotEqual(self.selected(page), first)
        page.click_on("#previous")
        self.assertEqual(self.selected(page), first)
        self.assertEqual(page.evaluate("document.getElementById('found').textContent"), "1 of 25,000")
        page.evaluate("document.getElementById('query').value = ''")
        page.type("nothing is called this")
        self.assertEqual(page.evaluate("document.getElementById('found').textContent"), "0 found")

    def test_hazards(self):
        page = self.open()
        self.assertEqual(page.evaluate("document.getElementById('hazard-count').textContent"), "10")
        self.assertFalse(page.evaluate("document.getElementById('hazards').hidden"))
        page.click_on("#hazards .card:nth-child(2) .link")
        kind, command = self.selected(page)
        self.assertEqual(kind, "command")
        self.assertTrue(page.evaluate("window.assay.model.hazardous[%d]" % command))
        self.assertIn("[draw 19]", page.evaluate("document.getElementById('details').innerText"))
        # It is red.
        x, y = self.place_of(page, command)
        red = page.evaluate("(() => { const b = window.assay.canvas.getBoundingClientRect();"
                            "const {context} = window.assay.timeline;"
                            "return [...context.getImageData(%f - b.x, %f - b.y + 9 - 16, 1, 1).data]; })()" % (x, y))
        self.assertGreater(red[0], red[2] + 60)
        page.key("h")
        self.assertEqual(self.selected(page)[1], page.evaluate("window.assay.model.hazardCommands[0]"))

    def test_barriers_that_were_wider(self):
        page = self.open()
        page.click_on("[data-tab='barriers']")
        text = page.evaluate("document.getElementById('barriers').innerText")
        self.assertIn("Wider than was needed", text)
        self.assertIn("VkBufferMemoryBarrier2{", text)
        page.click_on("#barriers .card .link")
        self.assertEqual(page.evaluate("window.assay.model.kindOf(window.assay.timeline.selected.id)"), "barrier")

    def test_subpass_dependencies(self):
        page = self.open()
        command = page.evaluate("window.assay.model.lanes[0].commands.ids[0]")
        page.evaluate("window.assay.timeline.setView(window.assay.model.beginOf[%d] - 20, 60)" % command)
        page.settle()
        page.click(*self.place_of(page, command))
        text = page.evaluate("document.getElementById('details').innerText")
        self.assertIn("vkCmdBeginRenderPass2()", text)
        self.assertIn("VkSubpassDependency2{", text)
        self.assertIn(".srcSubpass = VK_SUBPASS_EXTERNAL", text)
        # Between the accesses of a resource, by their subpasses and masks.
        page.click(*self.place_of(page, command + 3))
        page.click_on("#details li .link")
        between = page.evaluate("[...document.querySelectorAll('#details li.between')].map((row) => row.textContent)")
        self.assertTrue(any("subpass 0 → EXTERNAL: ALL_COMMANDS" in row for row in between), between[:5])

    def test_keys_and_mouse_move_the_view(self):
        page = self.open()
        view = lambda: page.evaluate("[window.assay.timeline.begin, window.assay.timeline.ticks]")
        begin, ticks = view()
        box = page.evaluate("(() => { const b = window.assay.canvas.getBoundingClientRect();"
                            "return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        page.wheel(*box, -120)
        self.assertLess(view()[1], ticks)
        page.evaluate("window.assay.canvas.focus()")
        page.key("w")
        page.key("w")
        begin, ticks = view()
        page.key("d")
        self.assertGreater(view()[0], begin)
        page.key("0")
        self.assertGreater(view()[1], ticks)
        # From the first command to its neighbour, out to its label, its command buffer, its submission, and in again.
        page.key("ArrowRight")
        self.assertEqual(self.selected(page), ["command", 0])
        page.key("ArrowRight")
        self.assertEqual(self.selected(page), ["command", 1])
        kinds = []
        for _ in range(3):
            page.key("ArrowUp")
            kinds.append(self.selected(page)[0])
        self.assertEqual(kinds, ["region", "buffer", "batch"])
        page.key("ArrowDown")
        self.assertEqual(self.selected(page)[0], "buffer")
        self.assertEqual(page.evaluate("document.getElementById('status').textContent"),
                         "VkCommandBuffer 0x2[simulate 0]")
        page.key("Escape")
        self.assertIsNone(self.selected(page))

    def test_light_and_dark(self):
        pixel = "[...window.assay.timeline.context.getImageData(2, window.assay.canvas.height - 3, 1, 1).data]"
        self.assertGreater(sum(self.open().evaluate(pixel)[:3]), 600)
        self.assertLess(sum(self.open(dark=True).evaluate(pixel)[:3]), 150)


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser()
    PARSER.add_argument("--browser", required=True)
    PARSER.add_argument("--large_trace", required=True)
    OPTIONS, REST = PARSER.parse_known_args()
    sys.exit(unittest.main(argv=sys.argv[:1] + REST))
