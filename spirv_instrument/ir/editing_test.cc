// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Instructions and functions inserted, changed, moved and removed.

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/sections.h"

namespace assay::spirv_instrument {
namespace {

constexpr std::string_view kBody = R"(
    %60 = OpLabel
    %50 = OpAccessChain %ptr_uint %buffer %zero %zero
    %51 = OpLoad %uint %50
    OpStore %50 %51
    OpReturn
)";

std::vector<spv::Op> OpcodesOf(Block block) {
  std::vector<spv::Op> opcodes;
  for (Instruction instruction : block.instructions()) opcodes.push_back(instruction.op());
  return opcodes;
}

class Editing : public testing::Test {
 protected:
  Module module_ = ReadAssembly(ComputeShader(kBody));
  const Block block_ = module_.FindBlock(Id{60});
  const Instruction load_ = module_.Find(Id{51});
};

TEST_F(Editing, InsertBeforeAndAfter) {
  const Id type = load_.type_id();
  const Id id = module_.FreshId();
  const Instruction before = module_.InsertBefore(load_, spv::Op::OpCopyObject, type, id, {Id{50}});
  const Instruction after = module_.InsertAfter(load_, spv::Op::OpStore, kNoId, kNoId, {Id{50}, id});
  EXPECT_EQ(before.next(), load_);
  EXPECT_EQ(load_.next(), after);
  EXPECT_EQ(before.block(), block_);
  EXPECT_EQ(after.block(), block_);
  EXPECT_EQ(module_.Find(id), before);
  EXPECT_EQ(OpcodesOf(block_), (std::vector<spv::Op>{spv::Op::OpAccessChain, spv::Op::OpCopyObject, spv::Op::OpLoad,
                                                     spv::Op::OpStore, spv::Op::OpStore, spv::Op::OpReturn}));
  EXPECT_EQ(block_.terminator().op(), spv::Op::OpReturn);
}

TEST_F(Editing, RemoveAndReplace) {
  const Instruction store = load_.next();
  module_.Remove(store);
  EXPECT_TRUE(store.is_removed());
  module_.Remove(store);
  EXPECT_EQ(load_.next(), block_.terminator());
  module_.Replace(load_, spv::Op::OpUndef, load_.type_id(), Id{51}, {});
  EXPECT_EQ(module_.Find(Id{51}), load_);
  EXPECT_EQ(load_.op(), spv::Op::OpUndef);
  EXPECT_EQ(load_.operand_count(), 0u);
  EXPECT_EQ(ValidationErrors(module_), "");
  module_.Remove(load_);
  EXPECT_FALSE(module_.Find(Id{51}));
}

TEST_F(Editing, OperandsOfTheModuleItself) {
  const Instruction chain = module_.Find(Id{50});
  const std::vector<Word> own(chain.operands().begin(), chain.operands().end());
  module_.AppendOperands(chain, {own[1]});
  EXPECT_EQ(chain.operand_count(), 4u);
  EXPECT_EQ(chain.literal(3), own[1].value());
  // Words that are longer than before, from the instruction's own.
  const auto* words = reinterpret_cast<const Word*>(chain.operands().data());
  module_.Replace(chain, spv::Op::OpAccessChain, chain.type_id(), Id{50}, {words + 1, 3});
  EXPECT_EQ(chain.literal(0), own[1].value());
  EXPECT_EQ(chain.operand_count(), 3u);
  module_.SetOperand(chain, 0, own[0]);
  EXPECT_EQ(chain.literal(0), own[0].value());
  module_.SetOperand(chain, 3, own[0]);
  EXPECT_EQ(chain.operand_count(), 3u);
}

TEST_F(Editing, RenewResultLetsAnIdChangeHands) {
  const Id old = module_.RenewResult(load_);
  EXPECT_EQ(old, Id{51});
  EXPECT_FALSE(module_.Find(old));
  EXPECT_EQ(module_.Find(load_.result_id()), load_);
  const Instruction copy = module_.InsertAfter(load_, spv::Op::OpCopyObject, load_.type_id(), old, {load_.result_id()});
  EXPECT_EQ(module_.Find(old), copy);
  // The instruction that had the id before does not take it away.
  module_.Replace(load_, spv::Op::OpLoad, load_.type_id(), load_.result_id(), {Id{50}});
  EXPECT_EQ(module_.Find(old), copy);
  EXPECT_EQ(ValidationErrors(module_), "");
}

TEST_F(Editing, MoveBefore) {
  Builder before = Builder::Before(module_, load_);
  const Id copy = before.Add(spv::Op::OpCopyObject, module_.globals().Uint32(), {module_.globals().Uint(7)});
  const Instruction moved = module_.Find(copy);
  module_.MoveBefore(moved, block_.terminator());
  EXPECT_EQ(moved.next(), block_.terminator());
  EXPECT_EQ(module_.Find(copy), moved);
  EXPECT_EQ(ValidationErrors(module_), "");
}

TEST_F(Editing, InstructionsThatAreTooLong) {
  const std::vector<Word> many(0xffff, Word(0));
  EXPECT_FALSE(module_.InsertAfter(load_, spv::Op::OpNop, kNoId, kNoId, many));
  EXPECT_EQ(load_.next().op(), spv::Op::OpStore);
  EXPECT_FALSE(module_.status().ok());
  EXPECT_FALSE(module_.Write().ok());
}

TEST_F(Editing, GlobalInstructionsGoToTheirSections) {
  module_.AddToSection(spv::Op::OpCapability, kNoId, kNoId, {spv::Capability::Int64});
  // Two sections that are empty before.
  std::vector<Word> name;
  AppendString(name, "SPV_KHR_non_semantic_info");
  module_.AddToSection(spv::Op::OpExtension, kNoId, kNoId, name);
  const Id string = module_.FreshId();
  module_.AddToSection(spv::Op::OpString, kNoId, string, name);
  module_.AddToSection(spv::Op::OpString, kNoId, module_.FreshId(), name);
  name.insert(name.begin(), Id{60});
  module_.AddToSection(spv::Op::OpName, kNoId, kNoId, name);
  module_.AddToSection(spv::Op::OpDecorate, kNoId, kNoId, {Id{51}, spv::Decoration::RelaxedPrecision});
  EXPECT_EQ(ValidationErrors(module_), "") << Disassemble(module_);
  EXPECT_EQ(module_.section(Section::kSources).begin()->result_id(), string);
  EXPECT_EQ(module_.section(Section::kExtensions).begin()->string(0), "SPV_KHR_non_semantic_info");
  // A section that loses all that it has gets new ones at its place.
  module_.Remove(*module_.section(Section::kExtensions).begin());
  EXPECT_TRUE(module_.section(Section::kExtensions).empty());
  name.erase(name.begin());
  module_.AddToSection(spv::Op::OpExtension, kNoId, kNoId, name);
  EXPECT_EQ(ValidationErrors(module_), "") << Disassemble(module_);
}

TEST_F(Editing, InstructionsBesideTheEndsOfASectionBelongToIt) {
  const Instruction last = *module_.section(Section::kExecutionModes).begin();
  const std::vector<Word> operands(last.operands().begin(), last.operands().end());
  const Instruction behind = module_.InsertAfter(last, spv::Op::OpExecutionMode, kNoId, kNoId, operands);
  const Instruction added = module_.AddToSection(spv::Op::OpExecutionMode, kNoId, kNoId, operands);
  EXPECT_EQ(behind.next(), added);
  const Instruction front = module_.InsertBefore(last, spv::Op::OpExecutionMode, kNoId, kNoId, operands);
  EXPECT_EQ(*module_.section(Section::kExecutionModes).begin(), front);
}

TEST_F(Editing, NewFunction) {
  Globals globals = module_.globals();
  const Id uint = globals.Uint32();
  const Id type = globals.FunctionType(uint, std::vector<Id>{uint, uint});
  const Function function = module_.AddFunction(module_.FreshId(), uint, spv::FunctionControlMask::MaskNone, type);
  EXPECT_TRUE(function.blocks().empty());
  const Id left = module_.AddParameter(function, uint, module_.FreshId()).result_id();
  const Id right = module_.AddParameter(function, uint, module_.FreshId()).result_id();
  const Block first = module_.AddBlock(function, module_.FreshId());
  const Block last = module_.AddBlock(function, module_.FreshId());
  const Block middle = module_.AddBlockAfter(first, module_.FreshId());
  Builder end = Builder::AtEnd(module_, first);
  const Id sum = end.Binary(spv::Op::OpIAdd, uint, left, right);
  EXPECT_FALSE(first.terminator());
  end.Branch(middle.id());
  EXPECT_EQ(first.terminator().op(), spv::Op::OpBranch);
  Builder::AtEnd(module_, middle).Branch(last.id());
  Builder::AtEnd(module_, last).AddVoid(spv::Op::OpReturnValue, {sum});
  Builder::Before(module_, load_).Call(uint, function.id(), std::vector<Id>{globals.Uint(1), globals.Uint(2)});
  EXPECT_EQ(ValidationErrors(module_), "") << Disassemble(module_);
  EXPECT_EQ(first.next(), middle);
  EXPECT_EQ(middle.next(), last);
  EXPECT_EQ(last.previous(), middle);
  EXPECT_EQ(function.last(), last);
  EXPECT_EQ(function.parameters().size(), 2u);
  EXPECT_EQ(module_.FindFunction(function.id()), function);
  EXPECT_EQ(module_.functions().size(), 2u);
}

TEST_F(Editing, RemovedFunctionLeavesNothing) {
  const std::vector<uint32_t> before = *module_.Write();
  Globals globals = module_.globals();
  const Function function = module_.AddFunction(module_.FreshId(), globals.Void(), spv::FunctionControlMask::MaskNone,
                                                module_.functions().front().type());
  const Block block = module_.AddBlock(function, module_.FreshId());
  Builder::AtEnd(module_, block).AddVoid(spv::Op::OpReturn, {});
  SetName(module_, function.id(), "gone");
  const Id id = function.id();
  module_.RemoveFunction(function);
  EXPECT_EQ(module_.functions().size(), 1u);
  EXPECT_FALSE(module_.Find(id));
  EXPECT_FALSE(module_.FindFunction(id));
  std::vector<uint32_t> after = *module_.Write();
  // The bound has grown.
  after[3] = before[3];
  EXPECT_EQ(after, before);
}

// A list of instructions, changed at random as the module is, word for word.
TEST_F(Editing, RandomChangesAreThoseOfAPlainList) {
  std::mt19937 random(7);
  std::vector<std::pair<Instruction, std::vector<uint32_t>>> model;
  for (Instruction instruction : block_.instructions()) {
    model.emplace_back(instruction, std::vector<uint32_t>(instruction.words().begin(), instruction.words().end()));
  }
  const auto nop = [&](std::vector<Word>* operands) {
    operands->assign(random() % 5, Word(static_cast<uint32_t>(random())));
    std::vector<uint32_t> words = {static_cast<uint32_t>(operands->size() + 1) << spv::WordCountShift |
                                   static_cast<uint32_t>(spv::Op::OpNop)};
    for (Word word : *operands) words.push_back(word.value());
    return words;
  };
  for (int step = 0; step < 5000; ++step) {
    const size_t at = random() % (model.size() - 1);
    const auto place = model.begin() + static_cast<ptrdiff_t>(at);
    std::vector<Word> operands;
    std::vector<uint32_t> words = nop(&operands);
    switch (random() % 5) {
      case 0:
        model.insert(place, {module_.InsertBefore(model[at].first, spv::Op::OpNop, kNoId, kNoId, operands), words});
        break;
      case 1:
        model.insert(place + 1, {module_.InsertAfter(model[at].first, spv::Op::OpNop, kNoId, kNoId, operands), words});
        break;
      case 2:
        module_.Replace(model[at].first, spv::Op::OpNop, kNoId, kNoId, operands);
        model[at].second = words;
        break;
      case 3: {
        const size_t to = random() % model.size();
        if (to == at) break;
        module_.MoveBefore(model[at].first, model[to].first);
        const auto moved = model[at];
        model.erase(place);
        model.insert(model.begin() + static_cast<ptrdiff_t>(to > at ? to - 1 : to), moved);
        break;
      }
      default:
        if (model.size() < 3) break;
        module_.Remove(model[at].first);
        model.erase(place);
        break;
    }
  }
  size_t next = 0;
  for (Instruction instruction : block_.instructions()) {
    ASSERT_LT(next, model.size());
    EXPECT_EQ(instruction, model[next].first);
    EXPECT_EQ(std::vector<uint32_t>(instruction.words().begin(), instruction.words().end()), model[next].second);
    ++next;
  }
  EXPECT_EQ(next, model.size());
  size_t backward = model.size();
  for (Instruction at = block_.terminator(); at != block_.label(); at = at.previous()) {
    EXPECT_EQ(at, model[--backward].first);
  }
}

TEST(EditingLines, WhatIsInsertedHasTheLineOfItsPlace) {
  std::string text = ComputeShader(R"(
      %60 = OpLabel
      %50 = OpAccessChain %ptr_uint %buffer %zero %zero
      OpLine %70 6 2
      %51 = OpLoad %uint %50
      OpLine %70 7 3
      OpStore %50 %51
      OpReturn
  )");
  text.insert(text.find("OpDecorate"), "%70 = OpString \"a.comp\"\n");
  Module module = ReadAssembly(text);
  const Instruction load = module.Find(Id{51});
  const auto insert = [&](Builder builder) { return module.Find(builder.Load(load.type_id(), Id{50})); };
  EXPECT_FALSE(insert(Builder::Before(module, module.Find(Id{50}))).line());
  EXPECT_FALSE(insert(Builder::Before(module, load.previous())).line());
  EXPECT_EQ(insert(Builder::Before(module, load)).line().literal(1), 6u);
  EXPECT_EQ(insert(Builder::After(module, load)).line().literal(1), 6u);
  EXPECT_EQ(insert(Builder::AtEnd(module, load.block())).line().literal(1), 7u);
  // As a reader of what was written finds them.
  const Module again = *Module::Read(*module.Write());
  std::vector<uint32_t> lines;
  for (Instruction instruction : again.instructions()) {
    if (instruction.op() == spv::Op::OpLoad) lines.push_back(instruction.line().literal(1));
  }
  EXPECT_EQ(lines, (std::vector<uint32_t>{0, 0, 6, 6, 6, 7}));
}

}  // namespace
}  // namespace assay::spirv_instrument
