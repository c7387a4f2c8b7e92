// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/random/random_recipe.h"

#include <algorithm>
#include <random>
#include <utility>

#include "spirv_instrument/model/random/recipe_layout.h"

namespace assay::spirv_instrument::model {
namespace {

using Kind = RecipeStatement::Kind;
using State = corpus::Element::State;

class Generator {
 public:
  Generator(uint64_t seed, const RecipeOptions& options) : random_(seed), options_(options) {}

  Recipe Run() {
    if (Chance(30)) {
      recipe_.local_size = Between(1, 4);
      recipe_.groups = Between(2, 4);
    }
    recipe_.is_body_in_main = Chance(50);
    const uint32_t blocks = Between(3, 6);
    for (uint32_t i = 0; i < blocks; ++i) recipe_.blocks.push_back(MakeBlock(i, blocks));
    const uint32_t targets = Between(2, 6);
    for (uint32_t i = 0; i < targets; ++i) recipe_.targets.push_back(MakeTarget());
    const uint32_t resources = Between(2, 6);
    for (uint32_t i = 0; i < resources; ++i) recipe_.resources.push_back(MakeResource());
    recipe_.functions.resize(Between(0, 2));
    left_ = Between(std::min(options_.statements, 6u), options_.statements);
    for (RecipeFunction& function : recipe_.functions) {
      function.has_pointer = Chance(70);
      function.resource = Below(resources);
      wild_percent_ = Chance(50) ? 8 : 0;
      function.body = MakeBody(2, Between(1, 4));
    }
    wild_percent_ = Chance(30) ? 0 : Between(4, 25);
    recipe_.body = MakeBody(3, left_);
    return std::move(recipe_);
  }

 private:
  uint32_t Below(uint32_t limit) { return static_cast<uint32_t>(random_() % std::max(limit, 1u)); }
  uint32_t Between(uint32_t first, uint32_t last) { return first + Below(last - first + 1); }
  bool Chance(uint32_t percent) { return Below(100) < percent; }

  // ---- Types.
  RecipeType MakeScalar() {
    constexpr uint32_t kWidths[] = {8, 16, 32, 32, 32, 32, 64};
    RecipeType type = {.width = kWidths[Below(std::size(kWidths))]};
    const uint32_t number = Below(5);
    if (number == 0) type.number = RecipeType::Number::kInt;
    if (number == 1 && type.width >= 32) type.number = RecipeType::Number::kFloat;
    return type;
  }

  RecipeType MakeType(uint32_t depth, uint32_t block, uint32_t blocks) {
    RecipeType type = MakeScalar();
    if (Chance(20)) type.gap = Between(1, 3) * 4;
    const uint32_t kind = Below(depth == 0 ? 60 : 100);
    if (kind < 30) return type;
    if (kind < 42) {
      type.kind = RecipeType::Kind::kVector;
      type.count = Between(2, 4);
      return type;
    }
    if (kind < 50) {
      type = {.kind = RecipeType::Kind::kMatrix,
              .number = RecipeType::Number::kFloat,
              .count = Between(2, 4),
              .rows = Between(2, 4),
              .is_row_major = Chance(50),
              .gap = Below(2) * 4};
      return type;
    }
    if (kind < 60) {
      if (block + 1 >= blocks) return type;
      return {.kind = RecipeType::Kind::kAddress, .pointee = Between(block + 1, blocks - 1)};
    }
    if (kind < 82) {
      type.kind = RecipeType::Kind::kArray;
      type.count = Between(1, 4);
      type.parts.push_back(MakeType(depth - 1, block, blocks));
      return type;
    }
    type.kind = RecipeType::Kind::kStruct;
    const uint32_t members = Between(1, 4);
    for (uint32_t i = 0; i < members; ++i) type.parts.push_back(MakeType(depth - 1, block, blocks));
    return type;
  }

  RecipeType MakeBlock(uint32_t block, uint32_t blocks) {
    RecipeType type = {.kind = RecipeType::Kind::kStruct};
    if (block + 1 < blocks && Chance(40)) {
      type.parts.push_back({.kind = RecipeType::Kind::kAddress, .pointee = Between(block + 1, blocks - 1)});
    }
    const uint32_t members = Between(1, 4);
    for (uint32_t i = 0; i < members; ++i) type.parts.push_back(MakeType(2, block, blocks));
    // The first two have none, for push constants and uniform buffers.
    if (block > 1 && Chance(70)) {
      RecipeType array = {.kind = RecipeType::Kind::kRuntimeArray};
      array.parts.push_back(MakeType(1, block, blocks));
      type.parts.push_back(std::move(array));
    }
    return type;
  }

  // ---- Resources.
  // Mostly all of the block, and some elements of its runtime array; at times less, or more.
  uint32_t MakeBytes(const RecipeType& block) {
    const bool is_runtime = block.parts.back().kind == RecipeType::Kind::kRuntimeArray;
    uint32_t bytes = SizeOf(block);
    if (is_runtime) bytes = MemberOffsets(block).back() + StrideOf(block.parts.back()) * Between(1, 9);
    if (Chance(25)) bytes = Between(1, bytes);
    if (Chance(25)) bytes += Between(1, 20);
    // A range may end within a word.
    return Chance(20) ? std::max(bytes, 1u) : std::max((bytes + 3) / 4 * 4, 4u);
  }

  RecipeTarget MakeTarget() {
    RecipeTarget target = {.block = Between(1, static_cast<uint32_t>(recipe_.blocks.size()) - 1), .seed = Below(1000)};
    if (Chance(25)) target.kind = static_cast<RecipeTarget::Kind>(Between(1, 4));
    target.bytes = MakeBytes(recipe_.blocks[target.block]);
    return target;
  }

  bool HasPushConstants() const {
    return std::ranges::any_of(recipe_.resources, [](const RecipeResource& resource) {
      return resource.kind == RecipeResource::Kind::kPushConstants;
    });
  }

  RecipeResource MakeResource() {
    RecipeResource resource;
    const uint32_t kind = Below(100);
    if (kind < 20) {
      resource.kind = RecipeResource::Kind::kUniform;
      resource.block = 1;
    } else if (kind < 30 && !HasPushConstants() && SizeOf(recipe_.blocks[0]) <= 124) {
      resource.kind = RecipeResource::Kind::kPushConstants;
    } else if (kind < 37) {
      resource.kind = RecipeResource::Kind::kStorageImage;
    } else if (kind < 43) {
      resource.kind = RecipeResource::Kind::kSampledImage;
    } else if (kind < 49) {
      resource.kind = RecipeResource::Kind::kTexelBuffer;
    } else {
      resource.block = Below(static_cast<uint32_t>(recipe_.blocks.size()));
    }
    const bool can_be_written = resource.kind == RecipeResource::Kind::kStorage ||
                                resource.kind == RecipeResource::Kind::kStorageImage ||
                                resource.kind == RecipeResource::Kind::kTexelBuffer;
    resource.is_written = can_be_written && Chance(60);
    resource.is_array = resource.kind != RecipeResource::Kind::kPushConstants && Chance(40);
    resource.is_runtime_array = Chance(40);
    if (resource.is_array && Chance(30)) resource.further_descriptors = Between(1, 2);
    const uint32_t elements = resource.is_array ? Between(1, 4) : 1;
    for (uint32_t i = 0; i < elements; ++i) resource.elements.push_back(MakeElement(resource));
    return resource;
  }

  RecipeElement MakeElement(const RecipeResource& resource) {
    RecipeElement element = {.offset = Chance(30) ? 256u : 0u, .seed = Below(1000)};
    if (Chance(resource.is_array ? 20 : 4)) element.state = MakeState(resource);
    element.bytes = resource.kind == RecipeResource::Kind::kTexelBuffer ? 4 * Between(1, 12)
                                                                        : MakeBytes(recipe_.blocks[resource.block]);
    const bool is_uniform = resource.kind == RecipeResource::Kind::kUniform;
    if (is_uniform && !options_.has_partial_words) element.bytes = (element.bytes + 3) / 4 * 4;
    return element;
  }

  // What an image that is null reads as is not defined in every component.
  State MakeState(const RecipeResource& resource) {
    const bool is_buffer =
        resource.kind == RecipeResource::Kind::kStorage || resource.kind == RecipeResource::Kind::kUniform;
    const uint32_t state = Below(options_.has_null_descriptors && is_buffer ? 3 : 2);
    if (state == 2 && resource.is_written && !options_.has_written_nulls) return State::kUnwritten;
    return state == 0 ? State::kUnwritten : state == 1 ? State::kDestroyed : State::kNull;
  }

  // ---- Statements.
  RecipeOperand MakeOperand() {
    const uint32_t kind = Below(100);
    if (kind < 25) return {.number = Chance(90) ? Below(9) : Below(1u << 31)};
    if (kind < 40) return {RecipeOperand::Kind::kInvocation};
    if (kind < 60) return {RecipeOperand::Kind::kLoopCounter};
    if (kind < 65) return {RecipeOperand::Kind::kArgument, Below(9)};
    // Rather a late one.
    const uint32_t back = Below(Below(next_number_) + 1);
    return {RecipeOperand::Kind::kValue, next_number_ == 0 ? 0 : next_number_ - 1 - back};
  }

  RecipeStep MakeStep() {
    RecipeStep step = {.index = Chance(60) ? RecipeOperand{.number = Below(8)} : MakeOperand()};
    step.is_wild = Chance(wild_percent_);
    step.is_wide = Chance(10);
    step.is_signed = Chance(30);
    return step;
  }

  // Often a place that shares the begin of its path with an earlier one, so that accesses dominate one another, have
  // the same base, and are to members of one structure.
  RecipePlace MakePlace() {
    RecipePlace place;
    if (!places_.empty() && Chance(55)) {
      place = places_[Below(static_cast<uint32_t>(places_.size()))];
      if (Chance(30)) return place;
      place.path.resize(Below(static_cast<uint32_t>(place.path.size()) + 1));
    } else {
      place.resource = Below(static_cast<uint32_t>(recipe_.resources.size()));
      place.descriptor = MakeStep();
    }
    const uint32_t steps = Below(5);
    for (uint32_t i = 0; i < steps; ++i) place.path.push_back(MakeStep());
    if (Chance(30)) place.split = Between(1, 3);
    places_.push_back(place);
    return place;
  }

  Kind MakeKind(uint32_t depth) {
    constexpr std::pair<Kind, uint32_t> kWeights[] = {
        {Kind::kLoad, 30},      {Kind::kStore, 16},      {Kind::kAtomic, 8},     {Kind::kCopy, 6},
        {Kind::kArithmetic, 8}, {Kind::kArrayLength, 2}, {Kind::kLocalArray, 3}, {Kind::kCall, 6},
        {Kind::kImageRead, 5},  {Kind::kImageWrite, 4},  {Kind::kDivide, 2},     {Kind::kShift, 2},
        {Kind::kBreakIf, 2},    {Kind::kContinueIf, 2},  {Kind::kReturnIf, 1},   {Kind::kLoop, 7},
        {Kind::kIf, 7},         {Kind::kSwitch, 3},
    };
    uint32_t total = 0;
    for (const auto& [kind, weight] : kWeights) total += weight;
    while (true) {
      uint32_t position = Below(total);
      for (const auto& [kind, weight] : kWeights) {
        if (position >= weight) {
          position -= weight;
          continue;
        }
        const bool has_bodies = kind == Kind::kLoop || kind == Kind::kIf || kind == Kind::kSwitch;
        if (!has_bodies || depth > 0) return kind;
        break;
      }
    }
  }

  RecipeStatement MakeStatement(uint32_t depth) {
    RecipeStatement statement = {
        .kind = MakeKind(depth), .operation = Below(64), .a = MakeOperand(), .b = MakeOperand(), .c = MakeOperand()};
    const bool is_image = statement.kind == Kind::kImageRead || statement.kind == Kind::kImageWrite;
    const bool is_arithmetic = statement.kind == Kind::kDivide || statement.kind == Kind::kShift;
    statement.is_wild = (is_image && options_.has_wild_images && Chance(wild_percent_)) ||
                        (is_arithmetic && options_.has_wild_arithmetic && Chance(wild_percent_));
    if (statement.kind == Kind::kCall) statement.operation = Below(2);
    if (statement.kind == Kind::kLoad || statement.kind == Kind::kStore || statement.kind == Kind::kAtomic ||
        statement.kind == Kind::kCopy || statement.kind == Kind::kArrayLength) {
      statement.place = MakePlace();
    }
    if (statement.kind == Kind::kArrayLength && !options_.has_divergent_lengths) {
      statement.place.descriptor.index.kind = RecipeOperand::Kind::kConstant;
    }
    if (statement.kind == Kind::kCopy) statement.source = Chance(50) ? SimilarPlace(statement.place) : MakePlace();
    if (is_image) {
      statement.place.resource = MakeImageResource();
      statement.place.descriptor = MakeStep();
    }
    uint32_t bodies = 0;
    if (statement.kind == Kind::kLoop) bodies = 1;
    if (statement.kind == Kind::kIf) bodies = Between(1, 2);
    if (statement.kind == Kind::kSwitch) bodies = Between(1, 4);
    for (uint32_t i = 0; i < bodies; ++i) statement.bodies.push_back(MakeBody(depth - 1, Between(1, 5)));
    statement.number = next_number_++;
    return statement;
  }

  uint32_t MakeImageResource() {
    std::vector<uint32_t> images;
    for (uint32_t i = 0; i < recipe_.resources.size(); ++i) {
      const RecipeResource::Kind kind = recipe_.resources[i].kind;
      if (kind == RecipeResource::Kind::kStorageImage || kind == RecipeResource::Kind::kSampledImage ||
          kind == RecipeResource::Kind::kTexelBuffer) {
        images.push_back(i);
      }
    }
    return images.empty() ? 0 : images[Below(static_cast<uint32_t>(images.size()))];
  }

  // The same but for indices that are not constant.
  RecipePlace SimilarPlace(RecipePlace place) {
    for (RecipeStep& step : place.path) {
      if (step.index.kind != RecipeOperand::Kind::kConstant) step = MakeStep();
    }
    place.descriptor = MakeStep();
    return place;
  }

  std::vector<RecipeStatement> MakeBody(uint32_t depth, uint32_t count) {
    std::vector<RecipeStatement> body;
    for (uint32_t i = 0; i < count && left_ > 0; ++i) {
      --left_;
      body.push_back(MakeStatement(depth));
    }
    return body;
  }

  std::mt19937_64 random_;
  RecipeOptions options_;
  Recipe recipe_;
  std::vector<RecipePlace> places_;
  uint32_t wild_percent_ = 0;
  uint32_t left_ = 0;
  uint32_t next_number_ = 0;
};

}  // namespace

Recipe RandomRecipe(uint64_t seed, const RecipeOptions& options) { return Generator(seed, options).Run(); }

}  // namespace assay::spirv_instrument::model
