// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_GLSL_VERSION_H_
#define ASSAY_CORE_SPIRV_GLSL_VERSION_H_

#include <string>
#include <string_view>

// What can be said of GLSL (VK_NV_glsl_shader) without a compiler.
namespace assay::core {

// Whether the code may be GLSL for Vulkan: GL_KHR_vulkan_glsl needs version 140, or 310 of the language for OpenGL ES,
// and a shader that does not begin with #version, besides white space and comments, has version 110. If not, a sentence
// about what is wrong; else "".
std::string WrongGlslVersion(std::string_view code);

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_GLSL_VERSION_H_
