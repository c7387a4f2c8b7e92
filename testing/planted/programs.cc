// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Lists or runs the programs.
//
// programs --list                 prints the mistakes
// programs NAME...                prints the layer's messages about these programs
// programs --corrected NAME...    does the same for the programs without their mistakes

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "testing/planted/planted.h"
#include "testing/system_loader.h"

namespace assay::planted {
namespace {

void List() {
  for (const Mistake& mistake : AllMistakes()) std::printf("%s\n    %s\n", mistake.name, mistake.what);
}

bool Show(std::string_view name, Bug bug) {
  const auto found = std::ranges::find(AllMistakes(), name, &Mistake::name);
  if (found == AllMistakes().end()) {
    std::fprintf(stderr, "There is no \"%.*s\".\n", static_cast<int>(name.size()), name.data());
    return false;
  }
  std::printf("%s\n%s\n\n", found->name, bug ? found->what : "Corrected.");
  const Outcome outcome = RunProgram(test::SystemLoader(), *found, bug);
  if (!outcome.possible) std::printf("This GPU lacks what the program needs.\n");
  for (const test::Message& message : outcome.messages) std::printf("%s\n\n", message.text.c_str());
  if (outcome.possible && outcome.messages.empty()) std::printf("Nothing to report.\n");
  return true;
}

int Main(int count, char** arguments) {
  Bug bug = Bug::Planted();
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--list") {
      List();
    } else if (argument == "--corrected") {
      bug = Bug::Corrected();
    } else if (!Show(argument, bug)) {
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace assay::planted

int main(int count, char** arguments) { return assay::planted::Main(count, arguments); }
