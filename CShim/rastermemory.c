// GstAllocator and GstMemory over memory that the Vulkan device uses in place.
#include "raster_shim.h"

#define RASTER_MEMORY_TYPE "RasterMemory"

typedef struct {
  GstMemory memory;
  gpointer frame;  // owned by the memory that has no parent
} RasterMemory;

typedef struct {
  GstAllocator allocator;
  gpointer context;
} RasterAllocator;

typedef struct {
  GstAllocatorClass base;
} RasterAllocatorClass;

GType raster_allocator_get_type(void);
G_DEFINE_TYPE(RasterAllocator, raster_allocator, GST_TYPE_ALLOCATOR)

static GstMemory *allocate(GstAllocator *allocator, gsize size, GstAllocationParams *params) {
  gsize maxsize;
  if (!g_size_checked_add(&maxsize, size, params->prefix) ||
      !g_size_checked_add(&maxsize, maxsize, params->padding))
    return NULL;
  gpointer frame = raster_allocator_allocate(((RasterAllocator *)allocator)->context, maxsize);
  if (frame == NULL) return NULL;
  RasterMemory *memory = g_new0(RasterMemory, 1);
  memory->frame = frame;
  // Mapped Vulkan memory is aligned to 64 bytes at least, so a larger request is all that can miss.
  gst_memory_init(GST_MEMORY_CAST(memory), 0, allocator, NULL, maxsize, params->align,
                  params->prefix, size);
  return GST_MEMORY_CAST(memory);
}

static void release(GstAllocator *allocator, GstMemory *memory) {
  (void)allocator;
  if (memory->parent == NULL) raster_memory_release(((RasterMemory *)memory)->frame);
  g_free(memory);
}

// Waits for the device; fails where the frame could not be rendered.
static gpointer map(GstMemory *memory, GstMapInfo *info, gsize maxsize) {
  (void)info, (void)maxsize;
  return raster_memory_map(((RasterMemory *)memory)->frame);
}

static void unmap(GstMemory *memory, GstMapInfo *info) {
  raster_memory_unmap(((RasterMemory *)memory)->frame, (info->flags & GST_MAP_WRITE) != 0);
}

static GstMemory *share(GstMemory *memory, gssize offset, gssize size) {
  GstMemory *parent = memory->parent != NULL ? memory->parent : memory;
  RasterMemory *part = g_new0(RasterMemory, 1);
  part->frame = ((RasterMemory *)memory)->frame;
  if (size == -1) size = (gssize)memory->size - offset;
  gst_memory_init(GST_MEMORY_CAST(part),
                  GST_MINI_OBJECT_FLAGS(parent) | GST_MINI_OBJECT_FLAG_LOCK_READONLY,
                  memory->allocator, parent, memory->maxsize, memory->align,
                  memory->offset + (gsize)offset, (gsize)size);
  return GST_MEMORY_CAST(part);
}

gpointer raster_memory_get_frame(GstMemory *memory) {
  if (!gst_memory_is_type(memory, RASTER_MEMORY_TYPE)) return NULL;
  return ((RasterMemory *)memory)->frame;
}

static void allocator_finalize(GObject *object) {
  raster_allocator_release(((RasterAllocator *)object)->context);
  G_OBJECT_CLASS(raster_allocator_parent_class)->finalize(object);
}

static void raster_allocator_class_init(RasterAllocatorClass *class) {
  G_OBJECT_CLASS(class)->finalize = allocator_finalize;
  GST_ALLOCATOR_CLASS(class)->alloc = allocate;
  GST_ALLOCATOR_CLASS(class)->free = release;
}

static void raster_allocator_init(RasterAllocator *self) {
  self->allocator.mem_type = RASTER_MEMORY_TYPE;
  self->allocator.mem_map_full = map;
  self->allocator.mem_unmap_full = unmap;
  self->allocator.mem_share = share;
}

GstAllocator *raster_allocator_new(gpointer context) {
  RasterAllocator *self = g_object_new(raster_allocator_get_type(), NULL);
  self->context = context;
  gst_object_ref_sink(self);
  return &self->allocator;
}
