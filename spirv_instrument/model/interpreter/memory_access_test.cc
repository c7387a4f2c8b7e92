// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses to buffers, good and bad.

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv_instrument/model/interpreter/interpreter.h"
#include "spirv_instrument/model/interpreter/interpreter_test.h"

namespace assay::spirv_instrument::model {
namespace {

using corpus::FaultKind;
using State = corpus::Element::State;

TEST(MemoryAccessTest, LoadsAndStoresByDescriptor) {
  const Outcome outcome = Execute(absl::StrCat(R"(
%from = OpAccessChain %to_uint %data %1 %0 %i
%value = OpLoad %uint %from
)",
                                               kStoreValue));
  EXPECT_EQ(outcome.out, (std::vector<uint32_t>{22, 23, 0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(outcome.faults.empty());
}

// data[1] has two elements: invocation 0 reads the second, invocation 1 the third, which is in the buffer and not in
// the range.
TEST(MemoryAccessTest, LoadPastTheRangeIsZero) {
  const Outcome outcome = Execute(absl::StrCat(R"(
%index = OpIAdd %uint %i %1
%from = OpAccessChain %to_uint %data %1 %0 %index
%value = OpLoad %uint %from
)",
                                               kStoreValue));
  EXPECT_EQ(outcome.out, (std::vector<uint32_t>{23, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(outcome.faults, (std::set<Fault>{{FaultKind::kBufferBounds, Position(outcome, spv::Op::OpLoad, 1)}}));
}

TEST(MemoryAccessTest, StorePastTheRangeIsDropped) {
  const Outcome outcome = Execute(R"(
%at = OpAccessChain %to_uint %out %0 %7
OpStore %at %7
%past = OpAccessChain %to_uint %out %0 %100
OpStore %past %7
)");
  EXPECT_EQ(outcome.out, (std::vector<uint32_t>{0, 0, 0, 0, 0, 0, 0, 7}));
  EXPECT_EQ(outcome.faults, (std::set<Fault>{{FaultKind::kBufferBounds, Position(outcome, spv::Op::OpStore, 1)}}));
}

TEST(MemoryAccessTest, NegativeIndexIsPastTheRange) {
  const Outcome outcome = Execute(R"(
%at = OpAccessChain %to_uint %out %0 %minus1
OpStore %at %7
)");
  EXPECT_EQ(outcome.faults, (std::set<Fault>{{FaultKind::kBufferBounds, Position(outcome, spv::Op::OpStore)}}));
}

constexpr char kLoadOfDescriptor[] = R"(
%index = OpIAdd %uint %i %1
%from = OpAccessChain %to_uint %data %index %0 %0
%value = OpLoad %uint %from
)";

// Invocation 1 takes descriptor 2 of 2.
TEST(MemoryAccessTest, DescriptorPastTheBinding) {
  const Outcome outcome = Execute(absl::StrCat(kLoadOfDescriptor, kStoreValue));
  EXPECT_EQ(outcome.out, (std::vector<uint32_t>{22, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(outcome.faults, (std::set<Fault>{{FaultKind::kDescriptorIndex, Position(outcome, spv::Op::OpLoad, 1)}}));
}

TEST(MemoryAccessTest, StatesOfDescriptors) {
  for (const auto& [state, kind] : {std::pair{State::kUnwritten, FaultKind::kDescriptorUnwritten},
                                    std::pair{State::kDestroyed, FaultKind::kDescriptorDestroyed},
                                    std::pair{State::kNull, FaultKind::kDescriptorNull}}) {
    corpus::Setup setup = MakeSetup();
    setup.bindings[0].elements[1].state = state;
    const Outcome outcome = Execute(absl::StrCat(R"(
%from = OpAccessChain %to_uint %data %1 %0 %0
%value = OpLoad %uint %from
)",
                                                 kStoreValue),
                                    setup);
    EXPECT_EQ(outcome.out, (std::vector<uint32_t>(8)));
    EXPECT_EQ(outcome.faults, (std::set<Fault>{{kind, Position(outcome, spv::Op::OpLoad, 1)}}));
  }
}

// A null descriptor that is not a fault reads zero.
TEST(MemoryAccessTest, NullDescriptorMayBeAccessed) {
  corpus::Setup setup = MakeSetup();
  setup.bindings[0].elements[0].state = State::kNull;
  const std::vector<uint32_t> words = Assemble(absl::StrCat(R"(
%from = OpAccessChain %to_uint %data %0 %0 %i
OpStore %from %7
%loaded = OpLoad %uint %from
%value = OpIAdd %uint %loaded %3
)",
                                                            kStoreValue, "OpReturn\nOpFunctionEnd\n"));
  const absl::StatusOr<Interpretation> result = Interpret(words, setup, {.checked = {FaultKind::kBufferBounds}});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->faults.empty());
  EXPECT_EQ(Words(result->buffers[2].bytes), (std::vector<uint32_t>{3, 3, 0, 0, 0, 0, 0, 0}));
}

TEST(MemoryAccessTest, BadAccessThatIsNotCheckedIsAnError) {
  const std::vector<uint32_t> words = Assemble(R"(
%at = OpAccessChain %to_uint %out %0 %100
OpStore %at %7
OpReturn
OpFunctionEnd
)");
  const absl::StatusOr<Interpretation> result =
      Interpret(words, MakeSetup(), {.checked = {FaultKind::kDescriptorIndex}});
  EXPECT_TRUE(absl::IsFailedPrecondition(result.status())) << result.status();
}

constexpr char kLoadAddress[] = R"(
%to_address = OpAccessChain %to_push_address %push %0
%address = OpLoad %block_pointer %to_address
)";

// "target" has three words. Invocation 0 reads the third, invocation 1 what is behind it.
TEST(MemoryAccessTest, AddressPastTheBuffer) {
  const Outcome outcome = Execute(absl::StrCat(kLoadAddress, R"(
%index = OpIAdd %uint %i %2
%from = OpAccessChain %to_address_uint %address %0 %index
%value = OpLoad %uint %from Aligned 4
)",
                                               kStoreValue));
  EXPECT_EQ(outcome.out, (std::vector<uint32_t>{32, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(outcome.faults, (std::set<Fault>{{FaultKind::kAddressRange, Position(outcome, spv::Op::OpLoad, 2)}}));
}

// One byte behind the begin, four bytes are in the buffer, and not aligned.
TEST(MemoryAccessTest, MisalignedAddress) {
  corpus::Setup setup = MakeSetup();
  setup.push_constants.addresses[0].addend = 1;
  const Outcome outcome = Execute(absl::StrCat(kLoadAddress, R"(
%from = OpAccessChain %to_address_uint %address %0 %i
%value = OpLoad %uint %from Aligned 4
)",
                                               kStoreValue),
                                  setup);
  EXPECT_EQ(outcome.faults, (std::set<Fault>{{FaultKind::kAddressAlignment, Position(outcome, spv::Op::OpLoad, 2)}}));
}

// SPIR-V, "OpAccessChain": an index is signed. From the second word, -1 is the first.
TEST(MemoryAccessTest, NegativeIndexFromAnAddress) {
  corpus::Setup setup = MakeSetup();
  setup.push_constants.addresses[0].addend = 4;
  const Outcome outcome = Execute(absl::StrCat(kLoadAddress, R"(
%from = OpAccessChain %to_address_uint %address %0 %minus1
%value = OpLoad %uint %from Aligned 4
)",
                                               kStoreValue),
                                  setup);
  EXPECT_EQ(outcome.out, (std::vector<uint32_t>{30, 30, 0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(outcome.faults.empty());
}

// The second of two equal loads need not be reported; the third, of other bytes, has to be.
TEST(MemoryAccessTest, EarlierFaults) {
  const Outcome outcome = Execute(R"(
%from = OpAccessChain %to_uint %data %0 %0 %7
%first = OpLoad %uint %from
%second = OpLoad %uint %from
%elsewhere = OpAccessChain %to_uint %data %0 %0 %100
%third = OpLoad %uint %elsewhere
)");
  const Fault first = {FaultKind::kBufferBounds, Position(outcome, spv::Op::OpLoad, 1)};
  const Fault second = {FaultKind::kBufferBounds, Position(outcome, spv::Op::OpLoad, 2)};
  EXPECT_EQ(outcome.faults.size(), 3u);
  EXPECT_EQ(outcome.earlier, (std::map<Fault, std::set<Fault>>{{second, {first}}}));
}

TEST(MemoryAccessTest, CopyOfBytes) {
  const Outcome outcome = Execute(R"(
%from = OpAccessChain %to_uint %data %0 %0 %i
%at = OpAccessChain %to_uint %out %0 %i
OpCopyMemory %at %from
)");
  EXPECT_EQ(outcome.out, (std::vector<uint32_t>{10, 11, 0, 0, 0, 0, 0, 0}));
}

TEST(MemoryAccessTest, ArrayLength) {
  const Outcome outcome = Execute(absl::StrCat(R"(
%to_second = OpAccessChain %to_block %data %1
%value = OpArrayLength %uint %to_second 0
)",
                                               kStoreValue));
  EXPECT_EQ(outcome.out, (std::vector<uint32_t>{2, 2, 0, 0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace assay::spirv_instrument::model
