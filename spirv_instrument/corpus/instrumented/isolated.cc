// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/instrumented/isolated.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "absl/strings/str_cat.h"

namespace assay::spirv_instrument::corpus {
namespace {

constexpr int kNotStarted = 17;

// What the process does. `next` is the call that it is at.
[[noreturn]] void RunFrom(size_t count, unsigned seconds, absl::FunctionRef<bool()> start,
                          absl::FunctionRef<void(size_t)> run, volatile size_t& next) {
  if (!start()) {
    std::fflush(nullptr);
    _exit(kNotStarted);
  }
  while (next < count) {
    alarm(seconds);
    run(next);
    std::fflush(nullptr);
    next = next + 1;
  }
  _exit(0);
}

std::string Reason(int status) {
  if (WIFEXITED(status)) return absl::StrCat("the process ended with ", WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGALRM) return "it takes too long";
  return absl::StrCat("the process ended by signal ", WTERMSIG(status));
}

}  // namespace

size_t* MakeSharedNumbers(size_t count) {
  void* memory = mmap(nullptr, count * sizeof(size_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<size_t*>(memory);
}

bool RunIsolated(size_t count, unsigned seconds, absl::FunctionRef<bool()> start, absl::FunctionRef<void(size_t)> run,
                 absl::FunctionRef<void(size_t, const std::string&)> lost) {
  static size_t* const shared = MakeSharedNumbers(1);
  if (shared == nullptr) return false;
  volatile size_t& next = *shared;
  next = 0;
  while (next < count) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
      // Not to go on when nobody waits any more.
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      RunFrom(count, seconds, start, run, next);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) return false;
    if (WIFEXITED(status) && WEXITSTATUS(status) == kNotStarted) return false;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    lost(next, Reason(status));
    next = next + 1;
  }
  return true;
}

}  // namespace assay::spirv_instrument::corpus
