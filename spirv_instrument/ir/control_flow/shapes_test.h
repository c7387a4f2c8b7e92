// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_SHAPES_TEST_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_SHAPES_TEST_H_

#include <ostream>
#include <string_view>

// Functions with every shape of structured control flow.
namespace assay::spirv_instrument {

struct Shape {
  std::string_view name;
  // Of main; $N is a load of the value %vN from the buffer, and a store of it.
  std::string_view body;
};

inline void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.name; }

inline constexpr Shape kShapes[] = {
    {"Straight", R"(
      %entry = OpLabel
      $1
      $2
      OpReturn
    )"},
    {"EntryWithVariables", R"(
      %entry = OpLabel
      %a = OpVariable %ptr_local Function
      %b = OpVariable %ptr_local Function %one
      $1
      OpStore %a %v1
      OpReturn
    )"},
    {"If", R"(
      %entry = OpLabel
      $1
      %c = OpULessThan %bool %v1 %ten
      OpSelectionMerge %end None
      OpBranchConditional %c %then %else
      %then = OpLabel
      $2
      OpBranch %end
      %else = OpLabel
      $3
      OpBranch %end
      %end = OpLabel
      %phi = OpPhi %uint %v2 %then %v3 %else
      %phi2 = OpPhi %uint %v1 %then %v3 %else
      $4
      OpStore %element %phi
      OpReturn
    )"},
    {"BlockThatIsMergeAndHeader", R"(
      %entry = OpLabel
      OpSelectionMerge %middle None
      OpBranchConditional %true %then %middle
      %then = OpLabel
      $1
      OpBranch %middle
      %middle = OpLabel
      %phi = OpPhi %uint %v1 %then %ten %entry
      $2
      OpSelectionMerge %end None
      OpBranchConditional %true %then2 %end
      %then2 = OpLabel
      $3
      OpBranch %end
      %end = OpLabel
      %phi2 = OpPhi %uint %v2 %middle %v3 %then2
      OpReturn
    )"},
    {"LoopAsGlslangWritesIt", R"(
      %entry = OpLabel
      $1
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %zero %entry %next %continue
      OpLoopMerge %end %continue None
      OpBranch %condition
      %condition = OpLabel
      $2
      %c = OpULessThan %bool %i %v2
      OpBranchConditional %c %body %end
      %body = OpLabel
      $3
      OpBranch %continue
      %continue = OpLabel
      $4
      %next = OpIAdd %uint %i %one
      OpBranch %header
      %end = OpLabel
      $5
      OpReturn
    )"},
    {"LoopWithWorkInItsHeader", R"(
      %entry = OpLabel
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %zero %entry %next %continue
      $1
      $2
      %c = OpULessThan %bool %i %v1
      OpLoopMerge %end %continue None
      OpBranchConditional %c %body %end
      %body = OpLabel
      $3
      OpBranch %continue
      %continue = OpLabel
      %next = OpIAdd %uint %i %v2
      OpBranch %header
      %end = OpLabel
      %last = OpPhi %uint %v1 %header
      OpStore %element %last
      OpReturn
    )"},
    {"LoopWhoseHeaderDecides", R"(
      %entry = OpLabel
      OpBranch %header
      %header = OpLabel
      $1
      %c = OpULessThan %bool %v1 %ten
      OpLoopMerge %end %continue None
      OpBranchConditional %c %body %end
      %body = OpLabel
      $2
      OpBranch %continue
      %continue = OpLabel
      $3
      OpBranch %header
      %end = OpLabel
      OpReturn
    )"},
    {"LoopOfOneBlock", R"(
      %entry = OpLabel
      OpBranch %loop
      %loop = OpLabel
      %i = OpPhi %uint %zero %entry %next %loop
      %old = OpPhi %uint %zero %entry %v1 %loop
      $1
      $2
      %next = OpIAdd %uint %i %v1
      %c = OpULessThan %bool %i %v2
      OpLoopMerge %end %loop None
      OpBranchConditional %c %loop %end
      %end = OpLabel
      %last = OpPhi %uint %next %loop
      OpStore %element %last
      OpReturn
    )"},
    {"DoWhileWithWorkInTheContinueTarget", R"(
      %entry = OpLabel
      OpBranch %header
      %header = OpLabel
      OpLoopMerge %end %continue None
      OpBranch %body
      %body = OpLabel
      $1
      %leave = OpULessThan %bool %v1 %one
      OpSelectionMerge %after None
      OpBranchConditional %leave %break %after
      %break = OpLabel
      $2
      OpBranch %end
      %after = OpLabel
      $3
      %skip = OpULessThan %bool %v3 %ten
      OpSelectionMerge %rest None
      OpBranchConditional %skip %next %rest
      %next = OpLabel
      OpBranch %continue
      %rest = OpLabel
      $4
      OpBranch %continue
      %continue = OpLabel
      $5
      %again = OpULessThan %bool %v5 %ten
      OpBranchConditional %again %header %end
      %end = OpLabel
      OpReturn
    )"},
    {"LoopsInLoops", R"(
      %entry = OpLabel
      OpBranch %outer
      %outer = OpLabel
      %i = OpPhi %uint %zero %entry %v4 %outer_continue
      $1
      OpLoopMerge %outer_end %outer_continue None
      OpBranch %inner
      %inner = OpLabel
      %j = OpPhi %uint %v1 %outer %v3 %inner_continue
      OpLoopMerge %inner_end %inner_continue None
      OpBranch %inner_body
      %inner_body = OpLabel
      $2
      %c = OpULessThan %bool %v2 %ten
      OpBranchConditional %c %inner_continue %inner_end
      %inner_continue = OpLabel
      $3
      OpBranch %inner
      %inner_end = OpLabel
      OpBranch %outer_continue
      %outer_continue = OpLabel
      $4
      %d = OpULessThan %bool %v4 %ten
      OpBranchConditional %d %outer %outer_end
      %outer_end = OpLabel
      OpReturn
    )"},
    {"SwitchThatFallsThrough", R"(
      %entry = OpLabel
      $1
      OpSelectionMerge %end None
      OpSwitch %v1 %default 1 %first 2 %second 7 %second 9 %end
      %first = OpLabel
      $2
      OpBranch %second
      %second = OpLabel
      %phi = OpPhi %uint %ten %entry %v2 %first
      $3
      OpBranch %end
      %default = OpLabel
      $4
      OpBranch %end
      %end = OpLabel
      %phi2 = OpPhi %uint %v1 %entry %v3 %second %v4 %default
      $5
      OpReturn
    )"},
    {"SwitchInALoopThatContinuesIt", R"(
      %entry = OpLabel
      OpBranch %header
      %header = OpLabel
      OpLoopMerge %end %continue None
      OpBranch %body
      %body = OpLabel
      $1
      OpSelectionMerge %after None
      OpSwitch %v1 %after 0 %case0 1 %case1
      %case0 = OpLabel
      $2
      OpBranch %continue
      %case1 = OpLabel
      $3
      OpReturn
      %after = OpLabel
      $4
      OpBranch %end
      %continue = OpLabel
      OpBranch %header
      %end = OpLabel
      OpReturn
    )"},
    {"BothWaysReturn", R"(
      %entry = OpLabel
      OpSelectionMerge %end None
      OpBranchConditional %true %then %else
      %then = OpLabel
      $1
      OpReturn
      %else = OpLabel
      $2
      OpReturn
      %end = OpLabel
      OpUnreachable
    )"},
    {"UnreachableBlocks", R"(
      %entry = OpLabel
      $1
      OpReturn
      %never = OpLabel
      $2
      OpBranch %never2
      %never2 = OpLabel
      $3
      OpReturn
    )"},
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_CONTROL_FLOW_SHAPES_TEST_H_
