// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_CHECK_INTERPRETER_H_
#define ASSAY_STATELESS_CHECK_INTERPRETER_H_

#include <cstdint>
#include <span>

#include "messages/messages.h"
#include "stateless/check/fast_path.h"
#include "stateless/explicit/explicit_rules.h"
#include "stateless/implicit/enabled_api.h"
#include "stateless/implicit/path.h"
#include "stateless/implicit/program.h"

namespace assay::stateless {

// One walk over the parameters of a call. Allocates nothing unless there is something to report.
class Interpreter {
 public:
  // parameters are those of report.command(). All must outlive the walk. explicit_rules may be null, and so may
  // fast_path, which is of the same programs, enabled part of the registry and explicit rules: structures that it
  // accepts are not walked.
  Interpreter(const Programs& programs, const EnabledApi& enabled, const void* parameters, messages::Report& report,
              const ExplicitRules* explicit_rules = nullptr, const FastPath* fast_path = nullptr)
      : programs_(programs),
        enabled_(enabled),
        parameters_(parameters),
        report_(report),
        explicit_rules_(explicit_rules),
        fast_path_(fast_path) {}

  // Checks the parameters of the command.
  void RunCommand();
  // Checks one structure that a parameter points to, as if the command had been walked up to it.
  void RunStruct(const vk::StructInfo& info, const void* structure, const Step& where);

 private:
  // Whether the application or the driver fills in the walked structure. For the driver, only sType, pNext and pointers
  // count.
  enum class Direction : uint8_t { kInput, kOutput };
  // A structure that is walked.
  struct Scope {
    const vk::StructInfo& info;
    const char* base;
    const Step* where;
    Direction direction;
  };

  // Whether the structure is certainly correct.
  bool TakesFastPath(const vk::StructInfo& info, const void* structure, Direction direction) const {
    return fast_path_ != nullptr && direction == Direction::kInput && fast_path_->Accepts(info, structure, parameters_);
  }
  void Run(std::span<const Op> ops, const Scope& scope);
  void RunOp(const Op& op, const Scope& scope);
  bool IsSelected(const Op& op, const Scope& scope) const;
  // One handle, enumerant and so on, by the kind of the member; where is the element.
  void CheckValue(const Op& op, const char* at, const Step& where);
  void CheckElementsInLine(const Op& op, const char* at, const Scope& scope);
  void CheckStructs(const Op& op, const char* elements, uint64_t count, const Scope& scope, Direction direction,
                    bool several);
  void CheckPointer(const Op& op, const Scope& scope);
  void CheckElements(const Op& op, const char* elements, uint64_t count, const Scope& scope);
  void CheckPointers(const Op& op, const char* pointers, uint64_t count, const Scope& scope);
  void CheckText(const Op& op, const char* text, const Step& where);
  void CheckChain(const Op& op, const Scope& scope);
  void CheckLink(const Op& op, const VkBaseInStructure& link, const VkBaseInStructure& first, const Scope& scope,
                 const Step& where);
  void CheckUnique(const Op& op, const VkBaseInStructure* head, const Step& where);

  const Programs& programs_;
  const EnabledApi& enabled_;
  const void* const parameters_;
  messages::Report& report_;
  const ExplicitRules* const explicit_rules_;
  const FastPath* const fast_path_;
  // Set at an invalid address, after which the walk cannot safely go on.
  bool stopped_ = false;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_CHECK_INTERPRETER_H_
