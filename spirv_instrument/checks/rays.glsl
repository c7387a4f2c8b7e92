// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rays. Floats come as their words, so that no optimization for finite numbers changes what is found.

const uint kInfinityWord = 0x7f800000u;
const uint kOneWord = 0x3f800000u;
const uint kSignWord = 0x80000000u;

// Neither infinite nor NaN.
bool AreFinite(const uvec3 vector) { return all(notEqual(vector & kInfinityWord, uvec3(kInfinityWord))); }

bool IsNotANumber(const uint word) { return (word & ~kSignWord) > kInfinityWord; }

// A number that is not negative; -0 is not, infinity is one.
bool IsFromZero(const uint word) { return word <= kInfinityWord || word == kSignWord; }

// Words of numbers that are not negative are ordered as the numbers are.
bool IsOrdered(const uint smallest, const uint largest) { return (smallest & ~kSignWord) <= (largest & ~kSignWord); }

bool IsZeroVector(const uvec3 vector) { return ((vector.x | vector.y | vector.z) & ~kSignWord) == 0u; }

bool HasSeveral(const uint flags) { return (flags & (flags - 1u)) != 0u; }

// Flags of one of these groups exclude one another: SPIR-V, "Ray Flags". SkipTrianglesKHR and SkipAABBsKHR;
// SkipTrianglesKHR, CullBackFacingTrianglesKHR and CullFrontFacingTrianglesKHR; OpaqueKHR, NoOpaqueKHR, CullOpaqueKHR
// and CullNoOpaqueKHR.
const uint kSkipFlags = 0x300u;
const uint kTriangleFlags = 0x130u;
const uint kOpacityFlags = 0xc3u;

// Those of the flags that exclude one another, or that the pipeline excludes; 0 if there are none.
uint ExclusiveFlags(const uint flags, const uint excluded) {
  if ((flags & excluded) != 0u) return flags & excluded;
  if (HasSeveral(flags & kSkipFlags)) return flags & kSkipFlags;
  if (HasSeveral(flags & kTriangleFlags)) return flags & kTriangleFlags;
  if (HasSeveral(flags & kOpacityFlags)) return flags & kOpacityFlags;
  return 0u;
}

bool FlagsAreGood(const uint flags, const uint excluded) {
  return !HasSeveral(flags & kSkipFlags) && !HasSeveral(flags & kTriangleFlags) && !HasSeveral(flags & kOpacityFlags) &&
         (flags & excluded) == 0u;
}

// `has_direction` is 1 if a direction of zero is a fault.
bool RayIsGood(const uvec3 origin, const uint smallest, const uvec3 direction, const uint largest, const uint flags,
               const uint excluded, const uint has_direction) {
  return AreFinite(origin) && AreFinite(direction) && IsFromZero(smallest) && IsFromZero(largest) &&
         IsOrdered(smallest, largest) && FlagsAreGood(flags, excluded) &&
         !(has_direction != 0u && IsZeroVector(direction));
}

void ReportVectorsOfRay(const uint instruction, const uvec3 origin, const uvec3 direction, const uint has_direction) {
  if (!AreFinite(origin)) {
    ReportFault(instruction, kRayNotFinite, origin.x, origin.y, origin.z, 0u, 0u);
  } else if (!AreFinite(direction)) {
    ReportFault(instruction, kRayNotFinite, direction.x, direction.y, direction.z, 1u, 0u);
  } else if (has_direction != 0u && IsZeroVector(direction)) {
    ReportFault(instruction, kRayZeroDirection, direction.x, direction.y, direction.z, 0u, 0u);
  }
}

void ReportRangeOfRay(const uint instruction, const uint smallest, const uint largest) {
  uint code = 0u;
  if (IsNotANumber(smallest) || IsNotANumber(largest)) {
    code = kRayTNotANumber;
  } else if (!IsFromZero(smallest) || !IsFromZero(largest)) {
    code = kRayNegativeT;
  } else if (!IsOrdered(smallest, largest)) {
    code = kRayRangeReversed;
  }
  if (code != 0u) ReportFault(instruction, code, smallest, largest, 0u, 0u, 0u);
}

void ReportRay(const uint instruction, const uvec3 origin, const uint smallest, const uvec3 direction,
               const uint largest, const uint flags, const uint excluded, const uint has_direction) {
  ReportVectorsOfRay(instruction, origin, direction, has_direction);
  ReportRangeOfRay(instruction, smallest, largest);
  const uint exclusive = ExclusiveFlags(flags, excluded);
  if (exclusive != 0u) ReportFault(instruction, kRayFlagsExclusive, flags, exclusive, 0u, 0u, 0u);
}

// From 0 to 1.
bool RayTimeIsGood(const uint time) { return time <= kOneWord || time == kSignWord; }

void ReportRayTime(const uint instruction, const uint time) {
  if (!RayTimeIsGood(time)) ReportFault(instruction, kRayTimeOutOfRange, time, 0u, 0u, 0u, 0u);
}

bool HitKindIsGood(const uint kind) { return kind <= 127u; }

void ReportHitKind(const uint instruction, const uint kind) {
  if (!HitKindIsGood(kind)) ReportFault(instruction, kRayHitKindOutOfRange, kind, 0u, 0u, 0u, 0u);
}

// The state of an object, as TrackedState has it: one that was skipped is not reported again.
const uint kStateNotInitialized = 0u;
const uint kStateInitialized = 1u;

void ReportState(const uint instruction, const uint code, const uint state) {
  if (state == kStateNotInitialized) ReportFault(instruction, code, 0u, 0u, 0u, 0u, 0u);
}

void ReportRayQuery(const uint instruction, const uint state) {
  ReportState(instruction, kRayQueryNotInitialized, state);
}

void ReportHitObject(const uint instruction, const uint state) {
  ReportState(instruction, kHitObjectNotInitialized, state);
}

// The intersection's type has to be, or not to be, a certain one.
bool IntersectionIsGood(const uint type, const uint certain, const uint is_wanted) {
  return (type == certain) == (is_wanted != 0u);
}

void ReportIntersection(const uint instruction, const uint state, const uint type, const uint certain,
                        const uint is_wanted) {
  if (state != kStateInitialized || IntersectionIsGood(type, certain, is_wanted)) return;
  ReportFault(instruction, kRayQueryWithoutIntersection, type, 0u, 0u, 0u, 0u);
}

bool HitTIsGood(const uint t, const uint smallest, const uint committed) {
  return IsFromZero(t) && IsOrdered(smallest, t) && IsOrdered(t, committed);
}

void ReportHitT(const uint instruction, const uint state, const uint t, const uint smallest, const uint committed) {
  if (state != kStateInitialized || HitTIsGood(t, smallest, committed)) return;
  ReportFault(instruction, kRayHitTOutOfRange, t, smallest, committed, 0u, 0u);
}
