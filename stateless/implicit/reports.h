// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_IMPLICIT_REPORTS_H_
#define ASSAY_STATELESS_IMPLICIT_REPORTS_H_

#include <cstdint>
#include <span>
#include <string>

#include "messages/messages.h"
#include "stateless/implicit/enabled_api.h"
#include "stateless/implicit/path.h"
#include "stateless/implicit/pnext_chain.h"
#include "stateless/implicit/program.h"
#include "vk/struct_info.h"

// Reports of violated implicit rules. A correct call reaches none of these functions.
namespace assay::stateless {

// The call being checked: its report and its parameters, of which the first is the object that messages are about.
struct CheckedCall {
  messages::Report& report;
  const void* parameters;
};

void ReportWrongStructureType(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, int32_t value,
                              VkStructureType expected);
void ReportNull(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, const vk::MemberInfo& member,
                uint64_t count);
void ReportNoAddress(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, const void* pointer);
void ReportNullHandle(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, const vk::MemberInfo& member);
void ReportWrongValue(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, uint16_t enum_id, int32_t value);
void ReportWrongBits(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, uint16_t enum_id, uint64_t value,
                     uint64_t wrong);
void ReportNotOneBit(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, uint16_t enum_id, uint64_t value);
void ReportZero(const CheckedCall& call, vk::VuidIndex vuid, const Step& where);
void ReportNotZero(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, uint64_t value);
void ReportNotUtf8(const CheckedCall& call, vk::VuidIndex vuid, const Step& where);
// By the step's id if it has one, as in arrays; otherwise by UNASSIGNED-GeneralParameterError-UnrecognizedBool32.
void ReportWrongBool(const CheckedCall& call, const Op& op, const Step& where, uint32_t value);
// link is null for an sType that the registry does not have.
void ReportWrongLink(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, const vk::StructInfo& head,
                     int32_t type, const vk::StructInfo* link, std::span<const SuggestedStruct> suggested);
void ReportLinkNotEnabled(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, const vk::StructInfo& link);
void ReportTwice(const CheckedCall& call, vk::VuidIndex vuid, const Step& where, int32_t type);
void ReportCommandNotEnabled(messages::Report& report, const void* parameters);
// A rule with its own text. where is null for the command as a whole. fix may be empty.
void ReportRule(const CheckedCall& call, vk::VuidIndex vuid, const Step* where, std::string text, std::string fix);

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_IMPLICIT_REPORTS_H_
