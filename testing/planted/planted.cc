// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/planted/planted.h"

namespace assay::planted {

const std::vector<Mistake>& AllMistakes() {
  static const auto* const all = [] {
    auto* mistakes = new std::vector<Mistake>;
    for (auto* some :
         {&ComputeMistakes, &TransferMistakes, &DrawMistakes, &RenderingMistakes, &RenderPassMistakes, &ShaderMistakes,
          &BuildMistakes, &SubmissionMistakes, &SwapchainMistakes, &SparseMistakes, &RuleMistakes}) {
      for (Mistake& mistake : some()) mistakes->push_back(std::move(mistake));
    }
    return mistakes;
  }();
  return *all;
}

Outcome RunProgram(const test::Loader& loader, const Mistake& mistake, Bug bug) {
  test::MessageLog log;
  Outcome outcome;
  {
    Engine engine(loader, log);
    outcome.possible = engine.Start(mistake.needs);
    if (outcome.possible) mistake.program(engine, bug);
  }
  outcome.messages = log.Take();
  // The loader reports the environment variables that it heeds.
  std::erase_if(outcome.messages, [](const test::Message& message) { return message.id == "Loader Message"; });
  return outcome;
}

}  // namespace assay::planted
