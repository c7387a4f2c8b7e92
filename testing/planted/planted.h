// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_PLANTED_PLANTED_H_
#define ASSAY_TESTING_PLANTED_PLANTED_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testing/loader.h"
#include "testing/message_log.h"
#include "testing/planted/engine.h"

// Programs with one mistake each, and the same programs without it. The mistakes are ones that real engines make.
//
// A program uses Vulkan as an engine does, through the real loader, on a real driver. The driver is the software GPU,
// or the one that VK_DRIVER_FILES names. The program's Bug chooses one line of it, or one value. With the planted
// mistake, the layer must report exactly the mistake's ids. With the corrected program, it must report nothing.
//
// - engine.h, commands.h, access.h: shorthands for the programs
// - *_mistakes.cc: the programs, by topic
// - planted_test.cc: runs each program both ways
// - programs.cc: runs one and prints its messages
namespace assay::planted {

// Whether a program makes its mistake: `bug ? wrong : right`.
class Bug {
 public:
  static constexpr Bug Planted() { return Bug(true); }
  static constexpr Bug Corrected() { return Bug(false); }
  constexpr explicit operator bool() const { return planted_; }

 private:
  constexpr explicit Bug(bool planted) : planted_(planted) {}
  bool planted_;
};

struct Mistake {
  const char* name;
  // The author's mistake, in one sentence.
  const char* what;
  // The ids of all messages, in any order.
  std::vector<std::string> ids;
  void (*program)(Engine& engine, Bug bug);
  Needs needs = {};
};

inline constexpr char kReadAfterWrite[] = "SYNC-HAZARD-READ-AFTER-WRITE";
inline constexpr char kWriteAfterRead[] = "SYNC-HAZARD-WRITE-AFTER-READ";
inline constexpr char kWriteAfterWrite[] = "SYNC-HAZARD-WRITE-AFTER-WRITE";

std::vector<Mistake> ComputeMistakes();
std::vector<Mistake> ShaderMistakes();
std::vector<Mistake> TransferMistakes();
std::vector<Mistake> DrawMistakes();
std::vector<Mistake> RenderingMistakes();
std::vector<Mistake> RenderPassMistakes();
std::vector<Mistake> BuildMistakes();
std::vector<Mistake> SubmissionMistakes();
std::vector<Mistake> SwapchainMistakes();
std::vector<Mistake> SparseMistakes();
std::vector<Mistake> RuleMistakes();

const std::vector<Mistake>& AllMistakes();

struct Outcome {
  // False if the GPU does not have a feature that the program needs. The program did not run then.
  bool possible = false;
  std::vector<test::Message> messages;
};
// Runs the program on an instance and a device of its own.
Outcome RunProgram(const test::Loader& loader, const Mistake& mistake, Bug bug);

}  // namespace assay::planted

#endif  // ASSAY_TESTING_PLANTED_PLANTED_H_
