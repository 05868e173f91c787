#pragma once
#include <gst/base/gstaggregator.h>
#include <gst/check/gstharness.h>
#include <gst/check/gsttestclock.h>
#include <gst/controller/gstinterpolationcontrolsource.h>
#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/gst.h>
#include <gst/video/navigation.h>
#include <gst/video/video.h>

// GST_PLUGIN_DEFINE makes this; it registers the elements of this process.
void gst_plugin_raster_register(void);

// Variadics and macros that the tests need.
static inline void raster_test_register(void) { gst_plugin_raster_register(); }
static inline void raster_test_set_double(gpointer object, const char *name, double value) {
  g_object_set(object, name, value, NULL);
}
static inline double raster_test_get_double(gpointer object, const char *name) {
  double value = 0;
  g_object_get(object, name, &value, NULL);
  return value;
}
static inline void raster_test_set_string(gpointer object, const char *name, const char *value) {
  g_object_set(object, name, value, NULL);
}
static inline void raster_test_set_int(gpointer object, const char *name, int value) {
  g_object_set(object, name, value, NULL);
}
static inline GstStructure *raster_test_get_structure(gpointer object, const char *name) {
  GstStructure *value = NULL;
  g_object_get(object, name, &value, NULL);
  return value;
}

// Flags and ranges of properties, which are macros.
static inline gboolean raster_test_is_controllable(const GParamSpec *spec) {
  return (spec->flags & GST_PARAM_CONTROLLABLE) != 0;
}
static inline gboolean raster_test_is_mutable_in_playing(const GParamSpec *spec) {
  return (spec->flags & GST_PARAM_MUTABLE_PLAYING) != 0;
}
static inline GParamSpec *raster_test_find_property(gpointer object, const char *name) {
  return g_object_class_find_property(G_OBJECT_GET_CLASS(object), name);
}
static inline GParamSpec **raster_test_list_properties(gpointer object, guint *count) {
  return g_object_class_list_properties(G_OBJECT_GET_CLASS(object), count);
}
// Makes a probe answer for the rest of the pipeline: the buffer goes no further, and upstream gets
// the flow.
static inline GstPadProbeReturn raster_test_answer_probe(GstPadProbeInfo *info, GstFlowReturn flow) {
  gst_buffer_unref(GST_PAD_PROBE_INFO_BUFFER(info));
  info->data = NULL;
  GST_PAD_PROBE_INFO_FLOW_RETURN(info) = flow;
  return GST_PAD_PROBE_HANDLED;
}
static inline void raster_test_get_string(gpointer object, const char *name, char **value) {
  g_object_get(object, name, value, NULL);
}
static inline const char *raster_test_type_name(gpointer object) { return G_OBJECT_TYPE_NAME(object); }

// Metas whose accessors are macros.
static inline GstVideoCropMeta *raster_test_add_crop_meta(GstBuffer *buffer) {
  return gst_buffer_add_video_crop_meta(buffer);
}
static inline GstVideoCropMeta *raster_test_get_crop_meta(GstBuffer *buffer) {
  return gst_buffer_get_video_crop_meta(buffer);
}
static inline GstVideoTimeCodeMeta *raster_test_get_time_code_meta(GstBuffer *buffer) {
  return gst_buffer_get_video_time_code_meta(buffer);
}

// An allocator of memory of a kind that only its maker knows, like that of a video sink.
#define RASTER_TEST_MEMORY "RasterTestMemory"
typedef struct {
  GstMemory memory;
  gpointer data;
  gint maps;
} RasterTestMemory;

static inline GstMemory *raster_test_allocate(GstAllocator *allocator, gsize size,
                                              GstAllocationParams *params) {
  RasterTestMemory *memory = g_new0(RasterTestMemory, 1);
  gsize total = size + params->prefix + params->padding;
  memory->data = g_malloc0(total);
  gst_memory_init(&memory->memory, GST_MEMORY_FLAG_NO_SHARE, allocator, NULL, total, params->align,
                  params->prefix, size);
  return &memory->memory;
}
static inline void raster_test_free(GstAllocator *allocator, GstMemory *memory) {
  (void)allocator;
  g_free(((RasterTestMemory *)memory)->data);
  g_free(memory);
}
static inline gpointer raster_test_map(GstMemory *memory, gsize size, GstMapFlags flags) {
  (void)size, (void)flags;
  g_atomic_int_inc(&((RasterTestMemory *)memory)->maps);
  return ((RasterTestMemory *)memory)->data;
}
// How often such memory was mapped.
static inline int raster_test_map_count(GstMemory *memory) {
  return g_atomic_int_get(&((RasterTestMemory *)memory)->maps);
}
static inline void raster_test_unmap(GstMemory *memory) { (void)memory; }
static inline void raster_test_init_allocator_class(gpointer klass, gpointer data) {
  (void)data;
  ((GstAllocatorClass *)klass)->alloc = raster_test_allocate;
  ((GstAllocatorClass *)klass)->free = raster_test_free;
}
static inline void raster_test_init_allocator(GTypeInstance *instance, gpointer klass) {
  (void)klass;
  GstAllocator *allocator = (GstAllocator *)instance;
  allocator->mem_type = RASTER_TEST_MEMORY;
  allocator->mem_map = raster_test_map;
  allocator->mem_unmap = raster_test_unmap;
  GST_OBJECT_FLAG_SET(allocator, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}
static inline GstAllocator *raster_test_allocator_new(void) {
  GType type = g_type_from_name("RasterTestAllocator");
  if (type == 0)
    type = g_type_register_static_simple(
        GST_TYPE_ALLOCATOR, "RasterTestAllocator", sizeof(GstAllocatorClass),
        (GClassInitFunc)raster_test_init_allocator_class, sizeof(GstAllocator),
        raster_test_init_allocator, (GTypeFlags)0);
  GstAllocator *allocator = (GstAllocator *)g_object_new(type, NULL);
  gst_object_ref_sink(allocator);
  return allocator;
}

// Declared by the C library only for programs that ask for its own extensions.
extern int gettid(void);
static inline int raster_test_thread_id(void) { return gettid(); }

static inline void raster_test_query_unref(GstQuery *query) { gst_query_unref(query); }

// A value of a child, which may be a child's child.
static inline void raster_test_set_child(GstElement *element, const char *name, const char *text) {
  GObject *child = NULL;
  GParamSpec *spec = NULL;
  if (!gst_child_proxy_lookup(GST_CHILD_PROXY(element), name, &child, &spec))
    return;
  gst_util_set_object_arg(child, spec->name, text);
  g_object_unref(child);
}
static inline guint raster_test_child_count(GstElement *element) {
  return gst_child_proxy_get_children_count(GST_CHILD_PROXY(element));
}
// A TAG event that says how frames are turned.
static inline GstEvent *raster_test_orientation_event(const char *text) {
  return gst_event_new_tag(gst_tag_list_new(GST_TAG_IMAGE_ORIENTATION, text, NULL));
}

// References that exist to a buffer.
static inline int raster_test_buffer_references(GstBuffer *buffer) {
  return GST_MINI_OBJECT_REFCOUNT_VALUE(buffer);
}

// References that exist to an object.
static inline int raster_test_object_references(GObject *object) {
  return g_atomic_int_get((gint *)&object->ref_count);
}

// Gives memory that is free back to the system, so that what is in use can be measured.
extern int malloc_trim(size_t padding);
static inline void raster_test_trim_heap(void) { malloc_trim(0); }

// The value of any property as text, as gst_util_set_object_arg takes it. The caller frees it.
static inline char *raster_test_get_text(gpointer object, const char *name) {
  GParamSpec *spec = g_object_class_find_property(G_OBJECT_GET_CLASS(object), name);
  if (spec == NULL) return NULL;
  GValue value = G_VALUE_INIT;
  g_value_init(&value, spec->value_type);
  g_object_get_property((GObject *)object, name, &value);
  char *text = gst_value_serialize(&value);
  g_value_unset(&value);
  return text;
}

// What an aggregator tells while it runs.
typedef void (*RasterTestSelected)(GstElement *, GstSegment *, GstClockTime pts, GstClockTime dts,
                                   GstClockTime duration, GstStructure *, gpointer);
static inline gulong raster_test_connect_selected(GstElement *element, RasterTestSelected callback,
                                                  gpointer data) {
  return g_signal_connect(element, "samples-selected", G_CALLBACK(callback), data);
}
typedef void (*RasterTestConsumed)(GstPad *, GstBuffer *, gpointer);
static inline gulong raster_test_connect_consumed(GstPad *pad, RasterTestConsumed callback,
                                                  gpointer data) {
  return g_signal_connect(pad, "buffer-consumed", G_CALLBACK(callback), data);
}
static inline void raster_test_event_unref(GstEvent *event) { gst_event_unref(event); }
static inline void raster_test_sample_unref(GstSample *sample) { gst_sample_unref(sample); }
// An aggregator that runs by the clock whatever its inputs do, which can be asked for only when it is made.
static inline GstElement *raster_test_make_live(const char *factory) {
  return gst_element_factory_make_full(factory, "force-live", TRUE, NULL);
}
static inline GType raster_test_template_type(GstPadTemplate *template) {
  return GST_PAD_TEMPLATE_GTYPE(template);
}
// Sets the place of a pad as GES 1.22 does: by C's variadic arguments, which know no types.
static inline void raster_test_place(GstPad *pad, int x, int y, int width, int height, double alpha,
                                     guint order) {
  g_object_set(pad, "xpos", x, "ypos", y, "width", width, "height", height, "alpha", alpha, "zorder",
               order, NULL);
}
