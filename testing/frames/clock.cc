// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A clock for programs whose frames depend on time; LD_PRELOAD puts it before the C library's. Each time that the
// program itself asks, a sixtieth of a second has passed, so that each run draws the same frames. Libraries, such as
// drivers, layers and the X client, ask the C library's clock: they wait by it.

#include <dlfcn.h>
#include <link.h>
#include <sys/time.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>

namespace {

constexpr int64_t kMicrosecondsPerSecond = 1000000;
constexpr int64_t kStepInMicroseconds = kMicrosecondsPerSecond / 60;
// 2001-09-09T01:46:40Z.
constexpr int64_t kStartInSeconds = 1000000000;

std::atomic<int64_t> times_asked = 0;

struct Range {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};

// Where the program is, which is the first of all loaded objects.
Range FindProgram() {
  Range range;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto& found = *static_cast<Range*>(data);
        for (size_t i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          if (found.end == 0) found.begin = begin;
          found.end = begin + segment.p_memsz;
        }
        return 1;
      },
      &range);
  return range;
}

// Empty while libraries that were loaded before this one begin.
const Range program = FindProgram();

bool IsInProgram(const void* address) {
  const auto place = reinterpret_cast<uintptr_t>(address);
  return program.begin <= place && place < program.end;
}

int64_t NextMicroseconds() { return times_asked.fetch_add(1) * kStepInMicroseconds; }

// A function of the C library, which is looked up at the first call.
template <class Function>
class InCLibrary {
 public:
  constexpr explicit InCLibrary(const char* name) : name_(name) {}

  Function* Get() {
    Function* function = function_.load(std::memory_order_relaxed);
    if (function == nullptr) {
      function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
      function_.store(function, std::memory_order_relaxed);
    }
    return function;
  }

 private:
  const char* const name_;
  std::atomic<Function*> function_ = nullptr;
};

constinit InCLibrary<int(clockid_t, timespec*)> c_clock_gettime("clock_gettime");
constinit InCLibrary<int(timeval*, void*)> c_gettimeofday("gettimeofday");

}  // namespace

// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): those of the C library are reserved.
extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (!IsInProgram(__builtin_return_address(0))) return c_clock_gettime.Get()(clock, time);
  const int64_t now = NextMicroseconds();
  *time = {.tv_sec = kStartInSeconds + now / kMicrosecondsPerSecond, .tv_nsec = now % kMicrosecondsPerSecond * 1000};
  return 0;
}

// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): those of the C library are reserved.
extern "C" __attribute__((visibility("default"))) int gettimeofday(timeval* time, void* zone) noexcept {
  if (!IsInProgram(__builtin_return_address(0))) return c_gettimeofday.Get()(time, zone);
  const int64_t now = NextMicroseconds();
  *time = {.tv_sec = kStartInSeconds + now / kMicrosecondsPerSecond, .tv_usec = now % kMicrosecondsPerSecond};
  return 0;
}
