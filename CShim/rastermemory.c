// GstAllocator and GstMemory over memory that the Vulkan device uses in place.
#include "raster_shim.h"

#define RASTER_MEMORY_TYPE "RasterMemory"

typedef struct {
  GstMemory memory;
  gpointer frame;  // owned by the memory that has no parent
  // Where the memory goes when nobody uses it any more; NULL where it is freed then.
  GstBufferPool *pool;
  GstBuffer *buffer;
  RasterPoolTakeBack take_back;
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

// Runs when the last reference goes. FALSE: the memory lives on.
static gboolean dispose(GstMiniObject *object) {
  RasterMemory *memory = (RasterMemory *)object;
  GstBufferPool *pool = g_steal_pointer(&memory->pool);
  if (pool == NULL) return TRUE;
  GstBuffer *buffer = g_steal_pointer(&memory->buffer);
  gst_buffer_append_memory(buffer, gst_memory_ref(GST_MEMORY_CAST(memory)));
  GST_BUFFER_FLAG_UNSET(buffer, GST_BUFFER_FLAG_TAG_MEMORY);
  memory->take_back(pool, buffer);
  gst_object_unref(pool);
  return FALSE;
}

gboolean raster_buffer_leave_memory(GstBuffer *buffer, GstBufferPool *pool,
                                    RasterPoolTakeBack take_back) {
  if (GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_TAG_MEMORY) ||
      gst_buffer_n_memory(buffer) != 1 || gst_buffer_is_all_memory_writable(buffer))
    return FALSE;
  GstMemory *first = gst_buffer_peek_memory(buffer, 0);
  if (!gst_memory_is_type(first, RASTER_MEMORY_TYPE) || first->parent != NULL) return FALSE;
  RasterMemory *memory = (RasterMemory *)first;
  memory->pool = gst_object_ref(pool);
  memory->buffer = buffer;
  memory->take_back = take_back;
  // This may be the last reference after all.
  gst_buffer_remove_all_memory(buffer);
  return TRUE;
}

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
  GST_MINI_OBJECT_CAST(memory)->dispose = dispose;
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
