// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ACCESSES_ORDERED_PAIRS_H_
#define ASSAY_SYNCVAL_ENGINE_ACCESSES_ORDERED_PAIRS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "syncval/engine/accesses/access.h"
#include "syncval/engine/accesses/ordering.h"
#include "syncval/engine/accesses/regions.h"
#include "vk/sync/sync_info.h"

namespace assay::syncval {

// Whether a pending access and one that is recorded now conflict, by their kinds and by the barriers that cover
// everything. Many commands in a row ask the same: all copies after a barrier meet those before it. So the last answers
// are kept. Where each command asks anew, with barriers of its own, the map answers at less cost; so answers that are
// not used again end the asking, up to Clear.
class OrderedPairs {
 public:
  struct Pair {
    vk::SyncAccessIndex prior = vk::kSyncNone;
    OrderingRule prior_ordering = OrderingRule::kNone;
    vk::SyncAccessIndex current = vk::kSyncNone;
    OrderingRule current_ordering = OrderingRule::kNone;
    // Of the barrier log, then and now.
    uint32_t prior_epoch = 0;
    uint32_t epoch = 0;
    SubpassPhase prior_phase;
    SubpassPhase phase;

    friend bool operator==(const Pair&, const Pair&) = default;
  };

  static Pair Make(const PendingAccess& prior, const Access& current, uint32_t epoch, SubpassPhase phase) {
    return {prior.access.index, prior.access.ordering,
            current.index,      current.ordering,
            prior.epoch,        epoch,
            prior.phase,        phase};
  }
  bool IsWorthAsking() const { return credit_ > 0; }
  // The answer that was kept; null if there is none.
  const bool* Find(const Pair& pair) {
    const auto is_of = [&](const Answer& answer) { return answer.pair == pair; };
    const Answer* const found =
        is_of(answers_[last_]) ? &answers_[last_] : std::find_if(answers_.data(), answers_.data() + kAnswers, is_of);
    if (found == answers_.data() + kAnswers) return nullptr;
    credit_ = std::min(credit_ + 1, kMostCredit);
    return &found->is_ordered;
  }
  bool Keep(const Pair& pair, bool is_ordered) {
    credit_ -= kCost;
    last_ = (last_ + 1) % kAnswers;
    answers_[last_] = {pair, is_ordered};
    return is_ordered;
  }
  // Required before the epochs of the log or the phases begin anew.
  void Clear() {
    answers_ = {};
    credit_ = kMostCredit;
  }

 private:
  // The answer for two kSyncNone, which nobody asks for, until it has one.
  struct Answer {
    Pair pair;
    bool is_ordered = false;
  };

  static constexpr size_t kAnswers = 4;
  // What an answer costs, in times that a kept one saves the look into the map.
  static constexpr int kCost = 2;
  static constexpr int kMostCredit = 16;

  std::array<Answer, kAnswers> answers_;
  size_t last_ = 0;
  int credit_ = kMostCredit;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_ACCESSES_ORDERED_PAIRS_H_
