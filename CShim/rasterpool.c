// GstBufferPool whose waits are counted, timed and watched.
#include "raster_shim.h"

#define GST_CAT_DEFAULT pool_category()

// Made at its first use, since not every process runs the plugin's entry point.
static GstDebugCategory *pool_category(void) {
  static gsize category = 0;
  if (g_once_init_enter(&category))
    g_once_init_leave(&category, (gsize)_gst_debug_category_new("rasterpool", 0,
                                                                "Frames of raster elements"));
  return (GstDebugCategory *)category;
}

typedef struct {
  GstVideoBufferPool base;
  gpointer monitor;
  GstAllocator *allocator;
  guint bound;
  GMutex lock;  // of `is_stopped`
  gboolean is_stopped;
} RasterBufferPool;

typedef struct {
  GstVideoBufferPoolClass base;
} RasterBufferPoolClass;

GType raster_buffer_pool_get_type(void);
G_DEFINE_TYPE(RasterBufferPool, raster_buffer_pool, GST_TYPE_VIDEO_BUFFER_POOL)

#define MONITOR(pool) (((RasterBufferPool *)(pool))->monitor)
#define PARENT GST_BUFFER_POOL_CLASS(raster_buffer_pool_parent_class)

GstFlowReturn raster_pool_acquire(GstBufferPool *pool, GstBuffer **buffer,
                                  GstBufferPoolAcquireParams *params, gpointer monitor,
                                  RasterPoolAcquire acquire) {
  GstBufferPoolAcquireParams at_once = {0};
  if (params != NULL) at_once = *params;
  gboolean waits = !(at_once.flags & GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT);
  at_once.flags |= GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT;
  GstFlowReturn flow = acquire(pool, buffer, &at_once);
  if (flow != GST_FLOW_EOS || !waits) return flow;
  GST_LOG_OBJECT(pool, "waiting: all buffers are in use");
  gpointer wait = raster_pool_begin_wait(monitor);
  flow = acquire(pool, buffer, params);
  raster_pool_end_wait(monitor, wait);
  GST_LOG_OBJECT(pool, "waited: %s", gst_flow_get_name(flow));
  return flow;
}

static GstFlowReturn acquire_buffer(GstBufferPool *pool, GstBuffer **buffer,
                                    GstBufferPoolAcquireParams *params) {
  GstFlowReturn flow =
      raster_pool_acquire(pool, buffer, params, MONITOR(pool), PARENT->acquire_buffer);
  if (flow != GST_FLOW_OK) return flow;
  guint outstanding = raster_pool_did_acquire(MONITOR(pool));
  GST_LOG_OBJECT(pool, "acquired %p, %u in use", *buffer, outstanding);
  return flow;
}

static void take_back(GstBufferPool *pool, GstBuffer *buffer) {
  RasterBufferPool *self = (RasterBufferPool *)pool;
  guint outstanding = raster_pool_did_release(MONITOR(pool));
  GST_LOG_OBJECT(pool, "released %p, %u in use", buffer, outstanding);
  g_mutex_lock(&self->lock);
  // The flag makes the pool free it; it would keep it for good.
  if (self->is_stopped) GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_TAG_MEMORY);
  PARENT->release_buffer(pool, buffer);
  g_mutex_unlock(&self->lock);
}

// A shallow copy, or a part of a frame, may outlive its buffer. The base class lets go of such memory and
// allocates anew, without any bound.
static void release_buffer(GstBufferPool *pool, GstBuffer *buffer) {
  if (!raster_buffer_leave_memory(buffer, pool, take_back)) take_back(pool, buffer);
}

static gboolean start(GstBufferPool *pool) {
  RasterBufferPool *self = (RasterBufferPool *)pool;
  g_mutex_lock(&self->lock);
  self->is_stopped = FALSE;
  g_mutex_unlock(&self->lock);
  return PARENT->start(pool);
}

static gboolean stop(GstBufferPool *pool) {
  RasterBufferPool *self = (RasterBufferPool *)pool;
  g_mutex_lock(&self->lock);
  self->is_stopped = TRUE;
  PARENT->stop(pool);
  g_mutex_unlock(&self->lock);
  // Also where memory is still used: that is freed when it comes back.
  return TRUE;
}

// Upstream writes a configuration of its own, often with no allocator and no bound.
static gboolean set_config(GstBufferPool *pool, GstStructure *config) {
  RasterBufferPool *self = (RasterBufferPool *)pool;
  GstCaps *caps = NULL;
  guint size = 0, least = 0, most = 0;
  GstAllocator *allocator = NULL;
  GstAllocationParams params;
  if (gst_buffer_pool_config_get_allocator(config, &allocator, &params) && allocator == NULL)
    gst_buffer_pool_config_set_allocator(config, self->allocator, &params);
  if (gst_buffer_pool_config_get_params(config, &caps, &size, &least, &most))
    if (most == 0 || most > self->bound)
      gst_buffer_pool_config_set_params(config, caps, size, MIN(least, self->bound), self->bound);
  return PARENT->set_config(pool, config);
}

static void pool_finalize(GObject *object) {
  g_mutex_clear(&((RasterBufferPool *)object)->lock);
  gst_object_unref(((RasterBufferPool *)object)->allocator);
  raster_pool_release(MONITOR(object));
  G_OBJECT_CLASS(raster_buffer_pool_parent_class)->finalize(object);
}

static void raster_buffer_pool_class_init(RasterBufferPoolClass *class) {
  G_OBJECT_CLASS(class)->finalize = pool_finalize;
  GST_BUFFER_POOL_CLASS(class)->set_config = set_config;
  GST_BUFFER_POOL_CLASS(class)->start = start;
  GST_BUFFER_POOL_CLASS(class)->stop = stop;
  GST_BUFFER_POOL_CLASS(class)->acquire_buffer = acquire_buffer;
  GST_BUFFER_POOL_CLASS(class)->release_buffer = release_buffer;
}

static void raster_buffer_pool_init(RasterBufferPool *self) { g_mutex_init(&self->lock); }

GstBufferPool *raster_buffer_pool_new(gpointer monitor, GstAllocator *allocator, guint bound) {
  RasterBufferPool *self = g_object_new(raster_buffer_pool_get_type(), NULL);
  self->monitor = monitor;
  self->allocator = allocator;
  self->bound = bound;
  gst_object_ref_sink(self);
  return GST_BUFFER_POOL_CAST(self);
}

gboolean raster_is_buffer_pool(GstBufferPool *pool) {
  return G_TYPE_CHECK_INSTANCE_TYPE(pool, raster_buffer_pool_get_type());
}

gboolean raster_pool_is_ordinary(GstBufferPool *pool, GstStructure *config) {
  GstAllocator *allocator = NULL;
  GType type = G_OBJECT_TYPE(pool);
  return (type == GST_TYPE_BUFFER_POOL || type == GST_TYPE_VIDEO_BUFFER_POOL) &&
         gst_buffer_pool_config_get_allocator(config, &allocator, NULL) && allocator == NULL;
}

void raster_pool_config_set_stride_alignment(GstStructure *config, guint alignment) {
  GstVideoAlignment align;
  gst_video_alignment_reset(&align);
  for (guint plane = 0; plane < GST_VIDEO_MAX_PLANES; plane++)
    align.stride_align[plane] = alignment - 1;
  gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  gst_buffer_pool_config_set_video_alignment(config, &align);
}

// The name, in an ALLOCATION query, of memory that stays on a device. Each device has its own: a tee drops what
// comes with parameters.
static GType device_memory_api(guint device) {
  static GMutex lock;
  static const gchar *tags[] = {NULL};
  gchar *name = g_strdup_printf("RasterDeviceMemory%u", device);
  g_mutex_lock(&lock);
  GType type = g_type_from_name(name);
  if (type == 0) type = gst_meta_api_type_register(name, tags);
  g_mutex_unlock(&lock);
  g_free(name);
  return type;
}

void raster_query_add_device(GstQuery *query, guint device) {
  gst_query_add_allocation_meta(query, device_memory_api(device), NULL);
}

gboolean raster_query_has_device(GstQuery *query, guint device) {
  return gst_query_find_allocation_meta(query, device_memory_api(device), NULL);
}
