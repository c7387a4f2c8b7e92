// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_WALK_ARRAY_WALK_H_
#define ASSAY_VK_WALK_ARRAY_WALK_H_

#include <cstdint>

// A validator's quick pass over a call is one loop over a list of steps (Op), compiled when the layer starts: each
// looks at something so many bytes behind a base, which at first is the command's parameters. This is how such a loop
// comes into arrays of structures and out of them again without calling itself: the steps of an element stand in the
// list where the array is come to, with a step at their end that asks for the next element.
//
//     array of VkDependencyInfo          Enter: the base becomes the first element, and the loop goes on
//       look at dependencyFlags          … as for any structure
//       array of VkMemoryBarrier2        Enter, one deeper
//         look at srcStageMask
//         end                            Next: the next element and back to srcStageMask, or out
//       end                              Next
//     accept
//
// Both are called by the loop's own body, for they change what it goes on with: base and, at Next, op, which the loop
// advances by one afterwards. Whoever compiles the list sees to it that no more arrays are within each other than there
// are frames. Those are the loop's own, so that what is left here is one pointer, which stays in a register.
namespace assay::vk {

// An array that is being looked at.
template <class Op>
struct ArrayFrame {
  // What was looked at before, and is again afterwards.
  const char* outer;
  // Elements, the current one included.
  uint64_t left;
  const Op* array;
};

template <class Op>
class ArrayWalk {
 public:
  explicit ArrayWalk(ArrayFrame<Op>* frames) : top_(frames) {}

  // From the step of an array to the first of its elements, of which there is at least one. Over the steps of an empty
  // array the loop goes by itself.
  void Enter(const Op* op, const char*& base, const char* elements, uint64_t count) {
    *top_++ = {base, count, op};
    base = elements;
  }

  // From the last step of an element, whose stride is how many bytes an element has.
  void Next(const Op*& op, const char*& base) {
    ArrayFrame<Op>& current = top_[-1];
    if (--current.left != 0) {
      base += op->stride;
      op = current.array;
    } else {
      base = current.outer;
      --top_;
    }
  }

 private:
  // Behind the innermost array's.
  ArrayFrame<Op>* top_;
};

}  // namespace assay::vk

#endif  // ASSAY_VK_WALK_ARRAY_WALK_H_
