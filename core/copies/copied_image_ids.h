// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_COPIED_IMAGE_IDS_H_
#define ASSAY_CORE_COPIES_COPIED_IMAGE_IDS_H_

#include "core/copies/copied_image.h"
#include "vk/families/vuid_families.h"

// Private to the package: the ids of the rules of images, by command. No format has texel blocks with a
// depth; their rules are left out.
namespace assay::core {

inline constexpr CopiedImageNames kSourceNames = {"srcImage", "srcSubresource", "srcOffset", "extent"};
inline constexpr CopiedImageNames kTargetNames = {"dstImage", "dstSubresource", "dstOffset", "extent"};

template <class C>
constexpr CopiedImageIds kSourceImageIds = {
    .resource =
        {
            .usage = vk::AnyFamilyVuid<C>("aspect-06662", "srcImage-00186", "srcImage-00219", "srcImage-06762",
                                          "srcImage-09113"),
            .bound = vk::AnyFamilyVuid<C>("srcImage-07966", "srcImage-00220", "srcImage-00256"),
            .is_protected = vk::AnyFamilyVuid<C>("commandBuffer-01825", "commandBuffer-01831", "commandBuffer-01834",
                                                 "commandBuffer-01837"),
        },
    .stencil_usage = vk::AnyFamilyVuid<C>("aspect-06664", "srcImage-09112"),
    .shared_stencil_usage = vk::FamilyVuid<C>("srcImage-09111"),
    .features = vk::AnyFamilyVuid<C>("srcImage-01995", "srcImage-01998", "srcImage-01999", "srcImage-06763"),
    .one_sample = vk::AnyFamilyVuid<C>("srcImage-07973", "srcImage-00233"),
    .subsampled = vk::AnyFamilyVuid<C>("srcImage-07969", "dstImage-02545", "dstImage-02546"),
    .sparse_bound = vk::FamilyVuid<C>("srcImage-09109"),
    .level = vk::AnyFamilyVuid<C>("srcSubresource-07967", "imageSubresource-07967", "srcSubresource-01705",
                                  "srcSubresource-01709"),
    .layers = vk::AnyFamilyVuid<C>("srcSubresource-07968", "imageSubresource-07968", "srcSubresource-01707",
                                   "srcSubresource-01711"),
    .contained =
        vk::AnyFamilyVuid<C>("srcSubresource-07970", "imageSubresource-07970", "pRegions-04566", "pRegions-00215"),
    .aspects =
        vk::AnyFamilyVuid<C>("aspectMask-00142", "imageSubresource-09105", "aspectMask-00241", "srcSubresource-09105"),
    .one_plane = vk::AnyFamilyVuid<C>("srcImage-08713", "srcImage-07981"),
    .no_layers = vk::AnyFamilyVuid<C>("srcImage-04443", "srcImage-07983"),
    .range = {vk::AnyFamilyVuid<C>("srcOffset-00144", "imageOffset-00197", "imageSubresource-07971", "srcOffset-00243",
                                   "srcOffset-00269", "srcSubresource-07971"),
              vk::AnyFamilyVuid<C>("srcOffset-00145", "imageOffset-00198", "imageSubresource-07972", "srcOffset-00244",
                                   "srcOffset-00270", "srcSubresource-07972"),
              vk::AnyFamilyVuid<C>("srcOffset-00147", "imageOffset-09104", "srcOffset-00246", "srcOffset-00272",
                                   "srcOffset-09104")},
    .block_offset = {vk::AnyFamilyVuid<C>("pRegions-07278", "srcImage-07274"),
                     vk::AnyFamilyVuid<C>("pRegions-07279", "srcImage-07275"), vk::kNoVuid},
    .block_extent = {vk::AnyFamilyVuid<C>("srcImage-01728", "srcImage-00207"),
                     vk::AnyFamilyVuid<C>("srcImage-01729", "srcImage-00208"), vk::kNoVuid},
    .y_of_1d = vk::AnyFamilyVuid<C>("srcImage-00146", "srcImage-07979", "srcImage-00245", "srcImage-00271"),
    .z_of_1d = vk::AnyFamilyVuid<C>("srcImage-01785", "srcImage-07980", "srcImage-00247", "srcImage-00273"),
    .z_of_2d = vk::AnyFamilyVuid<C>("srcImage-01787", "srcImage-07980", "srcImage-00247", "srcImage-00273"),
    .granularity = vk::AnyFamilyVuid<C>("srcOffset-01783", "imageOffset-07747"),
};

template <class C>
constexpr CopiedImageIds kTargetImageIds = {
    .resource =
        {
            .usage = vk::AnyFamilyVuid<C>("aspect-06663", "dstImage-00177", "dstImage-00224", "dstImage-06764",
                                          "dstImage-07664", "dstImage-09113"),
            .bound = vk::AnyFamilyVuid<C>("dstImage-07966", "dstImage-00225", "dstImage-00258", "dstImage-07665"),
            .is_protected = vk::AnyFamilyVuid<C>("commandBuffer-01826", "commandBuffer-01829", "commandBuffer-01835",
                                                 "commandBuffer-01838"),
            .is_unprotected = vk::AnyFamilyVuid<C>("commandBuffer-01827", "commandBuffer-01830", "commandBuffer-01836",
                                                   "commandBuffer-01839"),
        },
    .stencil_usage = vk::AnyFamilyVuid<C>("aspect-06665", "dstImage-09112"),
    .shared_stencil_usage = vk::FamilyVuid<C>("dstImage-09111"),
    .features = vk::AnyFamilyVuid<C>("dstImage-01996", "dstImage-01997", "dstImage-02000", "dstImage-06765"),
    .one_sample = vk::AnyFamilyVuid<C>("dstImage-07973", "dstImage-00234", "dstImage-00259"),
    .subsampled = vk::AnyFamilyVuid<C>("dstImage-07969", "dstImage-02545", "dstImage-02546", "dstImage-07673"),
    .sparse_bound = vk::FamilyVuid<C>("dstImage-09109"),
    .level = vk::AnyFamilyVuid<C>("dstSubresource-07967", "imageSubresource-07967", "dstSubresource-01706",
                                  "dstSubresource-01710", "mipLevel-07670"),
    .layers = vk::AnyFamilyVuid<C>("dstSubresource-07968", "imageSubresource-07968", "dstSubresource-01708",
                                   "dstSubresource-01712", "layerCount-08764"),
    .contained = vk::AnyFamilyVuid<C>("dstSubresource-07970", "imageSubresource-07970", "pRegions-04565",
                                      "pRegions-00216", "dstImage-07663"),
    .aspects =
        vk::AnyFamilyVuid<C>("aspectMask-00143", "imageSubresource-09105", "aspectMask-00242", "dstSubresource-09105"),
    .one_plane = vk::AnyFamilyVuid<C>("dstImage-08714", "dstImage-07981"),
    .no_layers = vk::AnyFamilyVuid<C>("dstImage-04444", "dstImage-07983", "srcImage-04447"),
    .range = {vk::AnyFamilyVuid<C>("dstOffset-00150", "pRegions-06223", "imageSubresource-07971", "dstOffset-00248",
                                   "dstOffset-00274", "dstSubresource-07971"),
              vk::AnyFamilyVuid<C>("dstOffset-00151", "pRegions-06224", "imageSubresource-07972", "dstOffset-00249",
                                   "dstOffset-00275", "dstSubresource-07972"),
              vk::AnyFamilyVuid<C>("dstOffset-00153", "imageOffset-09104", "dstOffset-00251", "dstOffset-00277",
                                   "dstOffset-09104")},
    .block_offset = {vk::AnyFamilyVuid<C>("pRegions-07281", "dstImage-07274"),
                     vk::AnyFamilyVuid<C>("pRegions-07282", "dstImage-07275"), vk::kNoVuid},
    .block_extent = {vk::AnyFamilyVuid<C>("dstImage-01732", "dstImage-00207"),
                     vk::AnyFamilyVuid<C>("dstImage-01733", "dstImage-00208"), vk::kNoVuid},
    .y_of_1d = vk::AnyFamilyVuid<C>("dstImage-00152", "dstImage-07979", "dstImage-00250", "dstImage-00276"),
    .z_of_1d = vk::AnyFamilyVuid<C>("dstImage-01786", "dstImage-07980", "dstImage-00252", "dstImage-00278"),
    .z_of_2d = vk::AnyFamilyVuid<C>("dstImage-01788", "dstImage-07980", "dstImage-00252", "dstImage-00278"),
    .granularity = vk::AnyFamilyVuid<C>("dstOffset-01784", "imageOffset-07738"),
};

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_COPIED_IMAGE_IDS_H_
