// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_CHECK_FAST_PATH_H_
#define ASSAY_STATELESS_CHECK_FAST_PATH_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "stateless/explicit/explicit_rules.h"
#include "stateless/implicit/conditional_pointers.h"
#include "stateless/implicit/enabled_api.h"
#include "stateless/implicit/program.h"
#include "vk/command_id.h"

// The fast path accepts most correct calls, and no incorrect one. The interpreter walks every call that it does not
// accept. Nearly every call is correct, and finding that takes less work than finding what is wrong.
//
// It is a second compilation of the same steps (implicit/program.h) for one device: one list for each command, made at
// the command's first call. The masks of valid bits and enumerants are part of the steps. The steps of a structure
// stand in the list where the structure occurs. For a structure with a pNext chain, which most have not, there is a
// list of its own; its explicit rules are then those for the links that the chain has. Data that only messages need is
// left out. Whatever is not simple (a union, a structure that the driver writes) is a step that rejects. Of such a call
// the interpreter walks only the structures that are not simple: for each other one there is a list of its own.
namespace assay::stateless {

class FastPath {
 public:
  // All must outlive the fast path. explicit_rules may be null.
  FastPath(const Programs& programs, const EnabledApi& enabled, const ExplicitRules* explicit_rules)
      : programs_(programs),
        enabled_(enabled),
        explicit_rules_(explicit_rules),
        structs_(vk::Structs().size()),
        chained_(vk::Structs().size()) {}

  // Whether the command with these parameters is certainly correct. If not, only the interpreter can tell. Any thread
  // may call it.
  bool Accepts(vk::CommandId command, const void* parameters) const {
    const auto index = static_cast<size_t>(command);
    const auto* const base = static_cast<const char*>(parameters);
    const Op* ops = nullptr;
    if (const Beginning* const beginning = beginnings_[index].load(std::memory_order_acquire)) {
      ops = AfterBeginning(*beginning, base);
      if (ops->code == Code::kAccept) return true;
    } else {
      ops = commands_[index].load(std::memory_order_acquire);
      if (ops == nullptr) [[unlikely]]
        ops = CompileCommand(command);
    }
    KnownPointers pointers(parameters);
    return Run(ops, base, pointers);
  }
  // The same for a structure that the application fills in and that the parameters of a command lead to.
  bool Accepts(const vk::StructInfo& info, const void* structure, const void* parameters) const {
    const Op* ops = structs_[static_cast<size_t>(&info - vk::Structs().data())].load(std::memory_order_acquire);
    if (ops == nullptr) [[unlikely]]
      ops = CompileStruct(info);
    KnownPointers pointers(parameters);
    return Run(ops, static_cast<const char*>(structure), pointers);
  }

  // The same for a structure in a pNext chain, without the rules about sType and pNext.
  bool AcceptsLink(const vk::StructInfo& info, const void* structure, const void* parameters) const {
    KnownPointers pointers(parameters);
    return AcceptsChained(static_cast<uint16_t>(&info - vk::Structs().data()), static_cast<const char*>(structure),
                          pointers);
  }

 private:
  enum class Code : uint8_t {
    // `length` words, each compared under a mask: an sType, a pNext that must be null, masks without the invalid bits.
    // Words of structures are 64 bits.
    kWords,
    // 32 bits that equal the operand; 32 bits that are not 0; 64 bits that are not 0, such as a pointer.
    kEqual32,
    kNotZero32,
    kNotZero64,
    // Not bits of both halves of the operand together.
    kNotBoth32,
    kAtMost32,
    kAtMost64,
    kZero32,
    kZero64,
    kBool32,
    // No bits besides those of the operand, or a name of `type`, with one of the three conditions on top.
    kFlags32,
    kFlags64,
    // An enumerant below 64 whose bit the operand has, or another that is enabled.
    kEnum,
    // `length` enumerants one after the other, all below 64.
    kEnums,
    // A pointer to `length` elements; null only if that is 0 or with kOptional. The steps of a structure follow, up to
    // their kNextElement; the operand is the number of these steps.
    kPointer,
    kHandles,
    // The same, each element like a kEnum, or 32 bits without any besides those of the operand.
    kEnumArray,
    kFlagsArray,
    kStructs,
    // The same for structures whose only steps are a kUnlessChained and a kWords, which follow: these are done at once.
    kWordStructs,
    // The same, for the `length` pointers of `member`, which may be null or garbage if they are not known to be read.
    kConditionalStructs,
    // Begins the steps of a structure that has a pNext. If that is not null, the structure's other list is done instead
    // of the steps up to its end, `operand` steps further.
    kUnlessChained,
    // A pointer to UTF-8; null only with kOptional.
    kText,
    // A pointer to a structure whose uint32_t at byte `length` is not 0.
    kNotZeroInPointee,
    kNextElement,
    // The explicit rules of a structure; those of one with a pNext chain.
    kExplicit,
    kExplicitChained,
    kAccept,
    kReject,
  };
  enum Condition : uint8_t {
    kOptional = 1,
    kNonZero = 2,
    kSingleBit = 4,
    kLength64 = 8,
    kConstantLength = 16,
    // The bitmask has names with more than one bit, such as VK_SHADER_STAGE_ALL.
    kHasNames = 32
  };

  // A word is valid if it has the expected bits under the mask.
  struct Word {
    uint64_t mask = 0;
    uint64_t expected = 0;
  };

  struct Op {
    Code code = Code::kReject;
    // Bits of Condition.
    uint8_t conditions = 0;
    // An EnumId or an index into Structs().
    uint16_t type = 0;
    // Bytes from the beginning of what is checked.
    uint32_t offset = 0;
    // The offset of an array's length, or the length itself with kConstantLength; then the bytes of an element.
    uint32_t length = 0;
    uint32_t stride = 0;
    uint64_t operand = 0;
    union {
      // The words of kWords.
      const Word* words = nullptr;
      // The pointer of kConditionalStructs.
      const vk::MemberInfo* member;
    };
  };

  // What a list begins with if that is simple, laid out so that it is done without a look at the steps: parameters,
  // then arrays of structures. For many recorded commands this is all.
  struct Simple {
    // Words from this offset on.
    uint32_t first_word = 0;
    std::vector<Word> words;
    // Words that must have a bit of the mask.
    struct NotZero {
      uint64_t mask = 0;
      uint32_t offset = 0;
    };
    std::vector<NotZero> not_zero;
  };
  struct Beginning {
    struct Array {
      // Offsets of the parameters; bytes of an element.
      uint32_t count = 0;
      uint32_t pointer = 0;
      uint32_t stride = 0;
      bool is_simple = false;
      Simple element;
      const Op* op = nullptr;
    };
    Simple parameters;
    std::vector<Array> arrays;
    // The whole list; what is behind the arrays.
    const Op* ops = nullptr;
    const Op* rest = nullptr;
  };

  static constexpr size_t kMaxDepth = 6;

  // Makes a list. Another thread may have made it meanwhile.
  const Op* CompileCommand(vk::CommandId command) const;
  const Op* CompileStruct(const vk::StructInfo& info) const;
  const Op* CompileChained(const vk::StructInfo& info) const;
  const Op* CompileList(const vk::StructInfo& info, std::span<const stateless::Op> steps, bool is_chained,
                        std::atomic<const Op*>& place) const;
  // Appends the steps of a structure or command at the end of list; depth counts the arrays around it.
  void Compile(const vk::StructInfo& info, std::span<const stateless::Op> steps, size_t depth, bool is_chained,
               std::vector<Op>& list) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Appends the steps of a structure that may have a chain.
  void CompileElement(const vk::StructInfo& info, size_t depth, std::vector<Op>& list) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Unroll(const vk::StructInfo& info, std::span<const stateless::Op> steps, uint32_t base, bool is_chained,
              std::vector<Op>& ops) const;
  void AddExplicit(const vk::StructInfo& info, uint32_t base, std::vector<Op>& ops) const;
  static bool HasOnlyWords(std::span<const Op> element);
  static bool ChecksChain(const Op& words);
  // Appends the steps to what is simple, as long as they are; the first other one.
  static const Op* GatherSimple(const Op* op, size_t size, Simple& simple);
  static Beginning BeginningOf(const vk::StructInfo& parameters, const Op* ops);
  static void JoinEnums(std::vector<Op>& ops);
  // Joins the steps that can be compared as words into one.
  void GatherWords(std::vector<Op>& ops, uint32_t size) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static bool GatherWord(const Op& op, std::vector<Word>& words);
  Op Translate(const vk::StructInfo& info, const stateless::Op& step, uint32_t base) const;
  Op TranslateFlags(const stateless::Op& step, Op op) const;
  Op TranslatePointer(const vk::StructInfo& info, const stateless::Op& step, uint32_t base, Op op) const;
  static Code CodeOfElements(const stateless::Op& step);
  static bool SetLength(const vk::StructInfo& info, const vk::MemberInfo& member, uint32_t base, Op& op);

  // The step at which Run() goes on.
  static const Op* AfterBeginning(const Beginning& beginning, const char* base);
  static bool Accepts(const Simple& simple, const char* base);
  bool Run(const Op* op, const char* base, KnownPointers& pointers) const;
  // Whether a structure is correct that has a chain, and the chain.
  bool AcceptsWithChain(uint16_t type, const char* structure, KnownPointers& pointers) const;
  bool AcceptsChained(uint16_t type, const char* structure, KnownPointers& pointers) const;
  bool AcceptsEnum(const Op& op, uint32_t value) const {
    return value < 64 ? (op.operand >> value & 1) != 0 : enabled_.HasValue(op.type, static_cast<int32_t>(value));
  }
  bool AcceptsElements(const Op& op, const char* elements, uint64_t count) const;
  static bool AcceptsWords(std::span<const Word> words, const char* at);
  static bool AcceptsWords(const Op& op, const char* at) { return AcceptsWords({op.words, op.length}, at); }
  bool AcceptsWordStructs(const Op* array, const char* element, uint64_t count, KnownPointers& pointers) const;
  bool AcceptsFlags(const Op& op, uint64_t value) const;
  static bool AcceptsHandles(const char* handles, uint64_t count);
  static uint64_t LengthOf(const Op& op, const char* base);

  const Programs& programs_;
  const EnabledApi& enabled_;
  const ExplicitRules* const explicit_rules_;
  // Null while there is no list, and for a command whose list has no simple beginning.
  mutable std::array<std::atomic<const Beginning*>, vk::kCommandCount> beginnings_{};
  // The first step of each list; null while there is none.
  mutable std::array<std::atomic<const Op*>, vk::kCommandCount> commands_{};
  mutable std::vector<std::atomic<const Op*>> structs_;
  // The lists of structures that have a chain.
  mutable std::vector<std::atomic<const Op*>> chained_;
  mutable absl::Mutex mutex_;
  // What has been compiled; nothing moves.
  mutable std::deque<std::vector<Op>> lists_ ABSL_GUARDED_BY(mutex_);
  mutable std::deque<std::vector<Word>> words_ ABSL_GUARDED_BY(mutex_);
  mutable std::deque<Beginning> kept_beginnings_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_CHECK_FAST_PATH_H_
