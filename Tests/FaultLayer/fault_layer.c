// A Vulkan layer that lets calls fail; README.md says how to build and use it.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#define EXPORT __attribute__((visibility("default")))
#define MAX_ENTRIES 64

// What one instance, or a device of it, was told to do.
typedef struct {
  char name[16];
  unsigned number;  // of the call that fails, from 1
  int goes_on;      // whether all later calls fail too
  atomic_uint calls;
  atomic_int is_lost;
} Fault;

// The functions that are intercepted, besides those that make instances and devices.
#define INSTANCE_FUNCTIONS(DO)                                      \
  DO(vkDestroyInstance, destroy_instance)                           \
  DO(vkEnumeratePhysicalDevices, enumerate_devices)                 \
  DO(vkGetPhysicalDeviceProperties, get_properties)                 \
  DO(vkGetPhysicalDeviceProperties2, get_properties2)               \
  DO(vkGetPhysicalDeviceFeatures, get_features)                     \
  DO(vkGetPhysicalDeviceQueueFamilyProperties, get_queue_families)  \
  DO(vkEnumerateDeviceExtensionProperties, enumerate_extensions)
#define DEVICE_FUNCTIONS(DO)                      \
  DO(vkDestroyDevice, destroy_device)             \
  DO(vkAllocateMemory, allocate_memory)           \
  DO(vkMapMemory, map_memory)                     \
  DO(vkCreateComputePipelines, create_pipelines)  \
  DO(vkQueueSubmit, queue_submit)                 \
  DO(vkWaitSemaphores, wait_semaphores)

#define DECLARE_NEXT(name, own) PFN_##name name;

// The next layer's functions. They are looked up when an instance or a device is made: later the
// loader would answer with the first layer's.
typedef struct {
  void *key;  // the loader's dispatch table, which all handles of an instance or a device share
  Fault *fault;
  VkInstance instance;
  PFN_vkGetInstanceProcAddr instance_address;
  PFN_vkGetDeviceProcAddr device_address;
  INSTANCE_FUNCTIONS(DECLARE_NEXT)
  DEVICE_FUNCTIONS(DECLARE_NEXT)
} Entry;

static Entry entries[MAX_ENTRIES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *key_of(const void *handle) { return *(void *const *)handle; }

static Entry find(const void *handle) {
  Entry found = {0};
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MAX_ENTRIES; i++)
    if (entries[i].key == key_of(handle)) found = entries[i];
  pthread_mutex_unlock(&lock);
  return found;
}

static int add(Entry entry) {
  int is_added = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MAX_ENTRIES && !is_added; i++)
    if (entries[i].key == NULL) entries[i] = entry, is_added = 1;
  pthread_mutex_unlock(&lock);
  return is_added;
}

static void drop(void *key) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MAX_ENTRIES; i++)
    if (entries[i].key == key) memset(&entries[i], 0, sizeof entries[i]);
  pthread_mutex_unlock(&lock);
}

// Reads NAME[:NUMBER[+]][@TID] from the environment.
static Fault *read_fault(void) {
  Fault *fault = calloc(1, sizeof *fault);
  const char *text = getenv("RASTER_FAULT");
  if (fault == NULL || text == NULL) return fault;
  const char *thread = strchr(text, '@');
  if (thread != NULL && atoi(thread + 1) != gettid()) return fault;
  size_t length = strcspn(text, ":@");
  if (length >= sizeof fault->name) return fault;
  memcpy(fault->name, text, length);
  if (text[length] == ':') {
    char *end;
    fault->number = (unsigned)strtoul(text + length + 1, &end, 10);
    fault->goes_on = *end == '+';
  }
  return fault;
}

static int is(const Entry *entry, const char *name) {
  return entry->fault != NULL && strcmp(entry->fault->name, name) == 0;
}

// Counts a call of a kind and says whether it is to fail.
static int fails(const Entry *entry, const char *name) {
  if (!is(entry, name)) return 0;
  unsigned call = atomic_fetch_add(&entry->fault->calls, 1) + 1;
  return call == entry->fault->number || (entry->fault->goes_on && call > entry->fault->number);
}

// MARK: Instances

static VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                           const VkAllocationCallbacks *allocator,
                                           VkInstance *instance) {
  VkLayerInstanceCreateInfo *chain = (VkLayerInstanceCreateInfo *)info->pNext;
  while (chain != NULL && (chain->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
                           chain->function != VK_LAYER_LINK_INFO))
    chain = (VkLayerInstanceCreateInfo *)chain->pNext;
  if (chain == NULL) return VK_ERROR_INITIALIZATION_FAILED;
  Entry entry = {0};
  entry.instance_address = chain->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  chain->u.pLayerInfo = chain->u.pLayerInfo->pNext;
  PFN_vkCreateInstance next =
      (PFN_vkCreateInstance)entry.instance_address(NULL, "vkCreateInstance");
  VkResult result = next(info, allocator, instance);
  if (result != VK_SUCCESS) return result;
  entry.instance = *instance;
  entry.key = key_of(*instance);
#define LOOK_UP(name, own) entry.name = (PFN_##name)entry.instance_address(*instance, #name);
  INSTANCE_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
  entry.fault = read_fault();
  if (entry.fault != NULL && add(entry)) return VK_SUCCESS;
  free(entry.fault);
  entry.vkDestroyInstance(*instance, allocator);
  return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static void VKAPI_CALL destroy_instance(VkInstance instance,
                                        const VkAllocationCallbacks *allocator) {
  if (instance == VK_NULL_HANDLE) return;
  Entry entry = find(instance);
  drop(entry.key);
  entry.vkDestroyInstance(instance, allocator);
  free(entry.fault);
}

static VkResult VKAPI_CALL enumerate_devices(VkInstance instance, uint32_t *count,
                                             VkPhysicalDevice *devices) {
  Entry entry = find(instance);
  if (is(&entry, "nodevices")) {
    *count = 0;
    return VK_SUCCESS;
  }
  return entry.vkEnumeratePhysicalDevices(instance, count, devices);
}

static void VKAPI_CALL get_properties(VkPhysicalDevice device,
                                      VkPhysicalDeviceProperties *properties) {
  Entry entry = find(device);
  entry.vkGetPhysicalDeviceProperties(device, properties);
  if (is(&entry, "oldversion")) properties->apiVersion = VK_API_VERSION_1_1;
}

static void VKAPI_CALL get_properties2(VkPhysicalDevice device,
                                       VkPhysicalDeviceProperties2 *properties) {
  Entry entry = find(device);
  entry.vkGetPhysicalDeviceProperties2(device, properties);
  if (is(&entry, "oldversion")) properties->properties.apiVersion = VK_API_VERSION_1_1;
}

static void VKAPI_CALL get_features(VkPhysicalDevice device, VkPhysicalDeviceFeatures *features) {
  Entry entry = find(device);
  entry.vkGetPhysicalDeviceFeatures(device, features);
  if (is(&entry, "noint64")) features->shaderInt64 = VK_FALSE;
}

static void VKAPI_CALL get_queue_families(VkPhysicalDevice device, uint32_t *count,
                                          VkQueueFamilyProperties *families) {
  Entry entry = find(device);
  entry.vkGetPhysicalDeviceQueueFamilyProperties(device, count, families);
  if (families == NULL || !is(&entry, "nocompute")) return;
  for (uint32_t i = 0; i < *count; i++)
    families[i].queueFlags &= ~(VkQueueFlags)VK_QUEUE_COMPUTE_BIT;
}

static VkResult VKAPI_CALL enumerate_extensions(VkPhysicalDevice device, const char *layer,
                                                uint32_t *count, VkExtensionProperties *list) {
  Entry entry = find(device);
  VkResult result = entry.vkEnumerateDeviceExtensionProperties(device, layer,
                                                                                  count, list);
  if (result != VK_SUCCESS || list == NULL || !is(&entry, "noimport")) return result;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < *count; i++)
    if (strcmp(list[i].extensionName, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME) != 0)
      list[kept++] = list[i];
  *count = kept;
  return VK_SUCCESS;
}

// MARK: Devices

static VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                         const VkAllocationCallbacks *allocator,
                                         VkDevice *device) {
  VkLayerDeviceCreateInfo *chain = (VkLayerDeviceCreateInfo *)info->pNext;
  while (chain != NULL && (chain->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
                           chain->function != VK_LAYER_LINK_INFO))
    chain = (VkLayerDeviceCreateInfo *)chain->pNext;
  Entry instance = find(physical);
  if (chain == NULL || fails(&instance, "device")) return VK_ERROR_INITIALIZATION_FAILED;
  Entry entry = {0};
  entry.fault = instance.fault;
  entry.device_address = chain->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  PFN_vkGetInstanceProcAddr address = chain->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  chain->u.pLayerInfo = chain->u.pLayerInfo->pNext;
  PFN_vkCreateDevice next =
      (PFN_vkCreateDevice)address(instance.instance, "vkCreateDevice");
  VkResult result = next(physical, info, allocator, device);
  if (result != VK_SUCCESS) return result;
#define LOOK_UP(name, own) entry.name = (PFN_##name)entry.device_address(*device, #name);
  DEVICE_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
  entry.key = key_of(*device);
  if (add(entry)) return VK_SUCCESS;
  entry.vkDestroyDevice(*device, allocator);
  return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static void VKAPI_CALL destroy_device(VkDevice device, const VkAllocationCallbacks *allocator) {
  if (device == VK_NULL_HANDLE) return;
  Entry entry = find(device);
  drop(entry.key);
  entry.vkDestroyDevice(device, allocator);
}

static int is_import(const VkMemoryAllocateInfo *info) {
  const VkBaseInStructure *next = info->pNext;
  while (next != NULL && next->sType != VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT)
    next = next->pNext;
  return next != NULL;
}

static VkResult VKAPI_CALL allocate_memory(VkDevice device, const VkMemoryAllocateInfo *info,
                                           const VkAllocationCallbacks *allocator,
                                           VkDeviceMemory *memory) {
  Entry entry = find(device);
  if (fails(&entry, "allocate")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  if (is_import(info) && fails(&entry, "import")) return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  return entry.vkAllocateMemory(device, info, allocator, memory);
}

static VkResult VKAPI_CALL map_memory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                                      VkDeviceSize size, VkMemoryMapFlags flags, void **address) {
  Entry entry = find(device);
  if (fails(&entry, "map")) return VK_ERROR_MEMORY_MAP_FAILED;
  return entry.vkMapMemory(device, memory, offset, size, flags, address);
}

static VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                            const VkComputePipelineCreateInfo *infos,
                                            const VkAllocationCallbacks *allocator,
                                            VkPipeline *pipelines) {
  Entry entry = find(device);
  if (fails(&entry, "pipeline")) return VK_ERROR_OUT_OF_HOST_MEMORY;
  return entry.vkCreateComputePipelines(device, cache, count, infos, allocator,
                                                         pipelines);
}

static VkResult VKAPI_CALL queue_submit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos,
                                        VkFence fence) {
  Entry entry = find(queue);
  if (fails(&entry, "submit")) atomic_store(&entry.fault->is_lost, 1);
  if (atomic_load(&entry.fault->is_lost)) return VK_ERROR_DEVICE_LOST;
  return entry.vkQueueSubmit(queue, count, infos, fence);
}

// The driver's call comes first, also of a device that is said to be lost: nothing may be under way when the
// application cleans up.
static VkResult VKAPI_CALL wait_semaphores(VkDevice device, const VkSemaphoreWaitInfo *info,
                                           uint64_t timeout) {
  Entry entry = find(device);
  // Nobody waits long for a device that was given up, but here it still works.
  VkResult result = entry.vkWaitSemaphores(device, info, timeout > 0 ? timeout : UINT64_MAX);
  if (atomic_load(&entry.fault->is_lost)) return VK_ERROR_DEVICE_LOST;
  if (fails(&entry, "timeout")) return VK_TIMEOUT;
  if (!fails(&entry, "wait")) return result;
  atomic_store(&entry.fault->is_lost, 1);
  return VK_ERROR_DEVICE_LOST;
}

// MARK: The loader's questions

static PFN_vkVoidFunction VKAPI_CALL instance_address(VkInstance instance, const char *name);
static PFN_vkVoidFunction VKAPI_CALL device_address(VkDevice device, const char *name);

typedef struct {
  const char *name;
  PFN_vkVoidFunction function;
} Function;

#define FUNCTION(name, own) {#name, (PFN_vkVoidFunction)own},

static PFN_vkVoidFunction function_named(const char *name, int is_device) {
  const Function of_device[] = {
      FUNCTION(vkGetDeviceProcAddr, device_address) DEVICE_FUNCTIONS(FUNCTION)};
  const Function of_instance[] = {
      FUNCTION(vkGetInstanceProcAddr, instance_address) FUNCTION(vkCreateInstance, create_instance)
          FUNCTION(vkCreateDevice, create_device) INSTANCE_FUNCTIONS(FUNCTION)};
  for (size_t i = 0; i < sizeof of_device / sizeof *of_device; i++)
    if (strcmp(of_device[i].name, name) == 0) return of_device[i].function;
  for (size_t i = 0; !is_device && i < sizeof of_instance / sizeof *of_instance; i++)
    if (strcmp(of_instance[i].name, name) == 0) return of_instance[i].function;
  return NULL;
}

static PFN_vkVoidFunction VKAPI_CALL instance_address(VkInstance instance, const char *name) {
  PFN_vkVoidFunction own = function_named(name, 0);
  if (own != NULL || instance == VK_NULL_HANDLE) return own;
  Entry entry = find(instance);
  return entry.instance_address == NULL ? NULL : entry.instance_address(instance, name);
}

static PFN_vkVoidFunction VKAPI_CALL device_address(VkDevice device, const char *name) {
  PFN_vkVoidFunction own = function_named(name, 1);
  if (own != NULL) return own;
  Entry entry = find(device);
  return entry.device_address == NULL ? NULL : entry.device_address(device, name);
}

EXPORT VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *negotiation) {
  if (negotiation->loaderLayerInterfaceVersion < 2) return VK_ERROR_INITIALIZATION_FAILED;
  negotiation->loaderLayerInterfaceVersion = 2;
  negotiation->pfnGetInstanceProcAddr = instance_address;
  negotiation->pfnGetDeviceProcAddr = device_address;
  negotiation->pfnGetPhysicalDeviceProcAddr = NULL;
  return VK_SUCCESS;
}
