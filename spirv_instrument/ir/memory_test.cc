// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// How much memory a module takes, measured: allocations are counted, of modules that are made to take much.

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

namespace {

size_t allocated = 0;
size_t most_allocated = 0;

}  // namespace

void* operator new(size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) std::abort();
  allocated += malloc_usable_size(memory);
  most_allocated = std::max(most_allocated, allocated);
  return memory;
}

void* operator new[](size_t size) { return operator new(size); }

void operator delete(void* memory) noexcept {
  allocated -= malloc_usable_size(memory);
  std::free(memory);
}

void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete(void* memory, size_t) noexcept { operator delete(memory); }
void operator delete[](void* memory, size_t) noexcept { operator delete(memory); }

namespace assay::spirv_instrument {
namespace {

// What module.h says: so many times the memory of the words, and so many bytes.
constexpr double kReadMultiple = 12;
constexpr double kMultiple = 20;
constexpr size_t kBytes = 20 * 1024;

// Of so many entries, a hash map has just doubled its memory, and a vector.
constexpr size_t kEntriesOfMap = 7 * 8192 + 1;
constexpr size_t kEntriesOfVector = 8 * 8192 + 1;

// Ids that are too far apart for flat tables.
uint32_t FarId(size_t i) { return kMaxBound - 1 - static_cast<uint32_t>(i) * 17; }

class Writer {
 public:
  void Add(spv::Op op, const std::vector<uint32_t>& operands = {}) {
    words_.push_back(static_cast<uint32_t>((operands.size() + 1) << spv::WordCountShift) | static_cast<uint32_t>(op));
    words_.insert(words_.end(), operands.begin(), operands.end());
  }
  const std::vector<uint32_t>& words() const { return words_; }

 private:
  std::vector<uint32_t> words_ = {spv::MagicNumber, 0x00010600, 0, kMaxBound, 0};
};

struct Hostile {
  std::string name;
  // With about so many ids or instructions.
  std::function<void(Writer& writer, size_t count)> write;
};

void WriteLabels(Writer& writer, size_t count) {
  writer.Add(spv::Op::OpFunction, {1, 2, 0, 3});
  for (size_t i = 0; i < count; ++i) {
    writer.Add(spv::Op::OpLabel, {FarId(i)});
    writer.Add(spv::Op::OpUnreachable);
  }
  writer.Add(spv::Op::OpFunctionEnd);
}

void WriteFunctions(Writer& writer, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    writer.Add(spv::Op::OpFunction, {1, FarId(i), 0, 3});
    writer.Add(spv::Op::OpFunctionEnd);
  }
}

void WriteGroups(Writer& writer, size_t count) {
  constexpr size_t kTargets = 60000;
  for (size_t i = 0; i < count;) {
    std::vector<uint32_t> operands = {1};
    for (; operands.size() < kTargets && i < count; ++i) operands.push_back(FarId(i));
    writer.Add(spv::Op::OpGroupDecorate, operands);
  }
}

void WriteSampledImages(Writer& writer, size_t count) {
  writer.Add(spv::Op::OpFunction, {1, 2, 0, 3});
  writer.Add(spv::Op::OpLabel, {4});
  for (size_t i = 0; i < count; ++i) {
    writer.Add(spv::Op::OpSampledImage, {5, FarId(i), 6, 7});
    writer.Add(spv::Op::OpImage, {8, FarId(count + i), FarId(i)});
  }
  writer.Add(spv::Op::OpUnreachable);
  writer.Add(spv::Op::OpFunctionEnd);
}

std::function<void(Writer&, size_t)> Each(const std::function<void(Writer&, size_t)>& write) {
  return [=](Writer& writer, size_t count) {
    for (size_t i = 0; i < count; ++i) write(writer, i);
  };
}

// Modules with much to note down for few words.
std::vector<Hostile> HostileModules() {
  return {
      {"nothing", [](Writer&, size_t) {}},
      {"one instruction", [](Writer& writer, size_t) { writer.Add(spv::Op::OpNop); }},
      {"no operands", Each([](Writer& writer, size_t) { writer.Add(spv::Op::OpNop); })},
      {"lines", Each([](Writer& writer, size_t) { writer.Add(spv::Op::OpNoLine); })},
      {"types", Each([](Writer& writer, size_t i) { writer.Add(spv::Op::OpTypeVoid, {FarId(i)}); })},
      {"different types",
       Each([](Writer& writer, size_t i) { writer.Add(spv::Op::OpTypeFloat, {FarId(i), static_cast<uint32_t>(i)}); })},
      {"decorated types", Each([](Writer& writer, size_t i) {
         writer.Add(spv::Op::OpDecorate, {FarId(i), static_cast<uint32_t>(spv::Decoration::Block)});
         writer.Add(spv::Op::OpTypeStruct, {FarId(i)});
       })},
      {"decorations", Each([](Writer& writer, size_t i) {
         writer.Add(spv::Op::OpDecorate, {FarId(i), static_cast<uint32_t>(spv::Decoration::Block)});
       })},
      {"decorations of one id", Each([](Writer& writer, size_t) {
         writer.Add(spv::Op::OpDecorate, {9, static_cast<uint32_t>(spv::Decoration::Block)});
       })},
      {"names", Each([](Writer& writer, size_t i) { writer.Add(spv::Op::OpName, {FarId(i), 0}); })},
      {"groups", WriteGroups},
      {"a long string",
       [](Writer& writer, size_t) {
         std::vector<uint32_t> operands(65000, 0x61616161);
         operands.front() = 1;
         operands.back() = 0;
         writer.Add(spv::Op::OpString, operands);
       }},
      {"blocks", WriteLabels},
      {"functions", WriteFunctions},
      {"sampled images", WriteSampledImages},
  };
}

void ForEachHostileModule(absl::FunctionRef<void(const std::string& name, Writer& writer)> visit) {
  for (const Hostile& hostile : HostileModules()) {
    for (size_t count : {kEntriesOfMap, kEntriesOfVector}) {
      Writer writer;
      hostile.write(writer, count);
      visit(hostile.name, writer);
    }
  }
}

// What else is allocated at the same time than what was before.
class Measurement {
 public:
  Measurement() : before_(allocated) { most_allocated = allocated; }
  size_t Most() const { return most_allocated - before_; }

 private:
  size_t before_;
};

double MultipleOf(size_t bytes, const std::vector<uint32_t>& words) {
  const auto above = static_cast<double>(bytes) - kBytes;
  return above / static_cast<double>(words.size() * sizeof(uint32_t));
}

void Print(const std::string& name, double multiple) { std::printf("%-24s %5.1f\n", name.c_str(), multiple); }

// Reads a module and makes all of its indices.
void ReadWithIndices(const std::vector<uint32_t>& words) {
  absl::StatusOr<Module> module = Module::Read(words);
  ASSERT_TRUE(module.ok()) << module.status();
  module->decorations();
  EXPECT_FALSE(module->globals().Find(spv::Op::OpTypeBool, kNoId, {}).has_value());
  module->SampledImageUses(Id{1});
}

TEST(Memory, OfReadingIsLimited) {
  double largest = 0;
  ForEachHostileModule([&](const std::string& name, Writer& writer) {
    const Measurement measurement;
    const bool is_read = Module::Read(writer.words()).ok();
    const double multiple = MultipleOf(measurement.Most(), writer.words());
    Print(name, multiple);
    EXPECT_TRUE(is_read) << name;
    EXPECT_LT(multiple, kReadMultiple) << name;
    largest = std::max(largest, multiple);
  });
  // The limit is not far from what there is.
  EXPECT_GT(largest, kReadMultiple * 3 / 4);
}

TEST(Memory, WithIndicesIsLimited) {
  double largest = 0;
  ForEachHostileModule([&](const std::string& name, Writer& writer) {
    const Measurement measurement;
    ReadWithIndices(writer.words());
    const double multiple = MultipleOf(measurement.Most(), writer.words());
    Print(name, multiple);
    EXPECT_LT(multiple, kMultiple) << name;
    largest = std::max(largest, multiple);
  });
  EXPECT_GT(largest, kMultiple * 3 / 4);
}

// Errors are found at the latest where the module ends, so that they take no more than a module does.
TEST(Memory, OfWhatIsRefusedIsLimited) {
  ForEachHostileModule([&](const std::string& name, Writer& writer) {
    writer.Add(spv::Op::OpTypeVoid, {0});
    const Measurement measurement;
    const bool is_read = Module::Read(writer.words()).ok();
    const size_t most = measurement.Most();
    EXPECT_FALSE(is_read) << name;
    EXPECT_LT(MultipleOf(most, writer.words()), kReadMultiple) << name;
  });
}

// Nothing is allocated for what the header claims.
TEST(Memory, OfALargeBoundIsThatOfTheWords) {
  const Writer writer;
  const Measurement measurement;
  ReadWithIndices(writer.words());
  EXPECT_LT(measurement.Most(), kBytes);
}

}  // namespace
}  // namespace assay::spirv_instrument
