// The Vulkan headers, and the names that Swift's importer does not see because they are macros with casts.
#pragma once
#include <vulkan/vulkan.h>

static const uint32_t raster_vk_api_version_1_2 = VK_API_VERSION_1_2;
