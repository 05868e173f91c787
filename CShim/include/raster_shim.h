// The border between GObject and Swift.
//
// C owns the GTypes, class initialisation, and what the GStreamer headers offer only as macros or
// variadics, which Swift cannot import. Swift owns all behaviour and implements every function of
// the sections headed "Implemented in Swift". Pointers named `self`, `context` and `buffer` are
// Swift objects that the C instance holds a reference to.
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>
#include <gst/video/gstvideoaggregator.h>
#include <gst/video/navigation.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

// MARK: Properties

typedef enum {
  RASTER_PROPERTY_DOUBLE,     // controllable, read and write
  RASTER_PROPERTY_INT,        // controllable, read and write
  RASTER_PROPERTY_UINT,       // read and write, changeable in NULL and READY
  RASTER_PROPERTY_COLOR,      // 0xAARRGGBB, controllable, read and write
  RASTER_PROPERTY_ENUM,       // controllable, read and write
  RASTER_PROPERTY_BOOLEAN,    // read and write
  RASTER_PROPERTY_TEXT,       // a string, read and write
  RASTER_PROPERTY_STRING,     // a string, changeable in NULL and READY
  RASTER_PROPERTY_STRUCTURE,  // read only
  RASTER_PROPERTY_CONFIG,     // a structure, read and write
} RasterPropertyKind;

// One GObject property. The strings live for ever.
typedef struct {
  RasterPropertyKind kind;
  const char *name;
  const char *nick;
  const char *blurb;
  double minimum;
  double maximum;
  double default_value;
  const char *default_text;
  // Of an enum: its GType if there is one, else the name of a new one and its nicks up to a NULL; they live for
  // ever.
  GType enum_type;
  const char *enum_name;
  const char *const *nicks;
} RasterPropertySpec;

// A new GParamSpec (property.c).
GParamSpec *raster_property_make(const RasterPropertySpec *spec);

// MARK: Filter element (rasterfilter.c)

GType raster_filter_get_type(void);

// Implemented in Swift (Sources/RasterElements).
guint raster_filter_property_count(void);
RasterPropertySpec raster_filter_property_spec(guint index);
GstCaps *raster_filter_template_caps(void);
gpointer raster_filter_create(GstBaseTransform *transform);
void raster_filter_destroy(gpointer self);
void raster_filter_set_property(gpointer self, guint index, const GValue *value);
void raster_filter_get_property(gpointer self, guint index, GValue *value);
gboolean raster_filter_will_change_state(gpointer self, GstStateChange transition);
void raster_filter_did_change_state(gpointer self, GstStateChange transition,
                                    GstStateChangeReturn result);
GstCaps *raster_filter_transform_caps(gpointer self, GstCaps *caps);
GstCaps *raster_filter_fixate_caps(gpointer self, GstPadDirection direction, GstCaps *caps,
                                   GstCaps *others);
gboolean raster_filter_set_caps(gpointer self, GstCaps *input, GstCaps *output);
void raster_filter_stop(gpointer self);
gboolean raster_filter_decide_allocation(gpointer self, GstQuery *query);
void raster_filter_propose_allocation(gpointer self, GstQuery *query);
// Whether frames are expected to flow: in PLAYING, and while a change of state waits for the first.
gboolean raster_element_is_on_the_way(gpointer element);
void raster_filter_before_transform(gpointer self, GstBuffer *buffer);
GstFlowReturn raster_filter_acquire(gpointer self, GstBuffer **buffer);
GstFlowReturn raster_filter_transform(gpointer self, GstBuffer *input, GstBuffer *output);
gboolean raster_filter_transform_meta(gpointer self, GstBuffer *output, GstMeta *meta,
                                      GstBuffer *input);
void raster_filter_set_flushing(gpointer self, gboolean flushing);

// Children for GstChildProxy; `raster_filter_get_child` returns a new reference or NULL.
guint raster_filter_child_count(gpointer self);
GObject *raster_filter_get_child(gpointer self, guint index);

// MARK: Compositor (rastercompositor.c, rasterlayer.c)

GType raster_compositor_get_type(void);
GType raster_layer_get_type(void);

// Implemented in Swift (Sources/RasterElements/Compositor).
guint raster_compositor_property_count(void);
RasterPropertySpec raster_compositor_property_spec(guint index);
GstCaps *raster_compositor_template_caps(void);
gpointer raster_compositor_create(GstVideoAggregator *aggregator);
void raster_compositor_destroy(gpointer self);
void raster_compositor_set_property(gpointer self, guint index, const GValue *value);
void raster_compositor_get_property(gpointer self, guint index, GValue *value);
gboolean raster_compositor_will_change_state(gpointer self, GstStateChange transition);
void raster_compositor_did_change_state(gpointer self, GstStateChange transition,
                                        GstStateChangeReturn result);
void raster_compositor_stop(gpointer self);
// Called with the last pad's FLUSH_START and with a flushing seek, before the base class waits for the streaming
// thread, and after the last FLUSH_STOP and the seek.
void raster_compositor_set_flushing(gpointer self, gboolean flushing);
// Called with the FLUSH_START and the FLUSH_STOP of a pad. The first says whether all pads have had one of that
// number now.
gboolean raster_compositor_note_flush(gpointer self, gpointer layer, guint32 number);
void raster_compositor_end_flush(gpointer self, gpointer layer);
// Called when a pad is released.
void raster_compositor_forget(gpointer self, gpointer layer);
GstCaps *raster_compositor_fixate_caps(gpointer self, GstCaps *caps);
// What pads take, of `filter` if there is one.
GstCaps *raster_compositor_input_caps(gpointer self, GstCaps *filter);
gboolean raster_compositor_set_caps(gpointer self, GstCaps *caps);
gboolean raster_compositor_decide_allocation(gpointer self, GstQuery *query);
void raster_compositor_propose_allocation(gpointer self, gpointer layer, GstQuery *query);
// Waits for a frame to write to, without any lock of the base class.
void raster_compositor_prepare(gpointer self);
// Hands over that frame; NULL while flushing, which is no error.
GstFlowReturn raster_compositor_acquire(gpointer self, GstBuffer **buffer);
GstFlowReturn raster_compositor_compose(gpointer self, GstBuffer *output);
void raster_compositor_refuse_segment(gpointer self, GstFormat format);
// Sends a pointer event to the pads under it, in their own coordinates.
void raster_compositor_navigate(gpointer self, GstEvent *event);
guint raster_compositor_child_count(gpointer self);
GObject *raster_compositor_get_child(gpointer self, guint index);

guint raster_layer_property_count(void);
RasterPropertySpec raster_layer_property_spec(guint index);
gpointer raster_layer_create(GstVideoAggregatorPad *pad);
void raster_layer_destroy(gpointer self);
// Tells a pad which element it belongs to.
void raster_layer_attach(gpointer self, gpointer compositor);
void raster_layer_set_property(gpointer self, guint index, const GValue *value);
void raster_layer_get_property(gpointer self, guint index, GValue *value);
void raster_layer_note_event(gpointer self, GstEvent *event);
guint raster_layer_child_count(gpointer self);
GObject *raster_layer_get_child(gpointer self, guint index);
// What raster_layer_create returned for that pad.
gpointer raster_layer_get_swift(GstPad *pad);

// MARK: Filter steps (rasterstep.c)

// The GType of the steps of one row of the registry.
GType raster_step_get_row_type(guint filter, const char *name);
// A new step below `parent`; takes over the reference to `swift`. The caller owns a reference.
GstObject *raster_step_new(GType type, const char *name, gpointer swift, GstObject *parent);
// Takes a step from its parent and lets go of it.
void raster_step_drop(GstObject *step);

// Implemented in Swift (Sources/RasterElements).
guint raster_step_property_count(guint filter);
RasterPropertySpec raster_step_property_spec(guint filter, guint index);
void raster_step_set_property(gpointer self, guint index, const GValue *value);
void raster_step_get_property(gpointer self, guint index, GValue *value);
void raster_step_destroy(gpointer self);

// MARK: Memory of our own (rastermemory.c)

// An allocator whose memory the device uses in place. Takes over the reference to `context`.
GstAllocator *raster_allocator_new(gpointer context);

// The Swift PooledMemory behind a memory of a raster allocator, also where it is a part of a larger one;
// NULL for any other memory.
gpointer raster_memory_get_frame(GstMemory *memory);

typedef void (*RasterPoolTakeBack)(GstBufferPool *pool, GstBuffer *buffer);
// Where others still use the memory of a buffer that came back to its pool, takes it from the buffer; when they
// are done, `take_back` gets the buffer with it. FALSE where nobody does.
gboolean raster_buffer_leave_memory(GstBuffer *buffer, GstBufferPool *pool,
                                    RasterPoolTakeBack take_back);

// Implemented in Swift (Sources/RasterElements/AllocatorBridge.swift). Allocation returns a referenced
// PooledMemory, or NULL.
gpointer raster_allocator_allocate(gpointer context, gsize size);
void raster_allocator_release(gpointer context);
void raster_memory_release(gpointer frame);
// Where the CPU finds the bytes, once the device has written them; NULL where it could not.
gpointer raster_memory_map(gpointer frame);
void raster_memory_unmap(gpointer frame, gboolean was_written);

// MARK: Macros and variadics

// Writes a line to the debug category of the elements.
void raster_log(GstDebugLevel level, gpointer object, const char *file, const char *function,
                int line, const char *message);
// Whether a line of that level would be written anywhere.
gboolean raster_log_enabled(GstDebugLevel level);
// Writes a line to GStreamer's category for lost performance.
void raster_log_performance(gpointer object, const char *message);

// The element at the other end of the first pad of a direction, by its name, or NULL; the caller frees it.
char *raster_element_peer_name(GstElement *element, GstPadDirection direction);
static inline GstBuffer *raster_buffer_ref(GstBuffer *buffer) { return gst_buffer_ref(buffer); }
// The base class drops the output frame, and tries again unless it has been stopped.
static inline GstFlowReturn raster_aggregator_try_again(void) {
  return GST_AGGREGATOR_FLOW_NEED_DATA;
}
static inline void raster_buffer_unref(GstBuffer *buffer) { gst_buffer_unref(buffer); }
// GstMiniObject casts, g_object_unref and type constants are macros.
static inline gpointer raster_memory_get_qdata(GstMemory *memory, GQuark key) {
  return gst_mini_object_get_qdata(GST_MINI_OBJECT_CAST(memory), key);
}
static inline void raster_memory_set_qdata(GstMemory *memory, GQuark key, gpointer data,
                                           GDestroyNotify destroy) {
  gst_mini_object_set_qdata(GST_MINI_OBJECT_CAST(memory), key, data, destroy);
}
static inline GstClockTime raster_buffer_get_pts(GstBuffer *buffer) {
  return GST_BUFFER_PTS(buffer);
}
// Whether a buffer only says that there is nothing.
static inline gboolean raster_buffer_is_gap(GstBuffer *buffer) {
  return gst_buffer_get_size(buffer) == 0 && GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP);
}
static inline GstEventType raster_event_get_type(GstEvent *event) { return GST_EVENT_TYPE(event); }
static inline GstSegment *raster_aggregator_get_segment(GstAggregator *aggregator) {
  return &GST_AGGREGATOR_PAD(aggregator->srcpad)->segment;
}
// A copy of a pointer event at another place; the caller owns it.
GstEvent *raster_navigation_moved(GstEvent *event, double x, double y);
static inline GstSegment *raster_transform_get_segment(GstBaseTransform *transform) {
  return &transform->segment;
}
static inline GstPad *raster_transform_get_sink_pad(GstBaseTransform *transform) {
  return GST_BASE_TRANSFORM_SINK_PAD(transform);
}
static inline GstPad *raster_transform_get_source_pad(GstBaseTransform *transform) {
  return GST_BASE_TRANSFORM_SRC_PAD(transform);
}
static inline void raster_structure_set_uint64(GstStructure *structure, const char *field,
                                               guint64 value) {
  gst_structure_set(structure, field, G_TYPE_UINT64, value, NULL);
}
static inline void raster_structure_set_string(GstStructure *structure, const char *field,
                                               const char *value) {
  gst_structure_set(structure, field, G_TYPE_STRING, value, NULL);
}
// A field of any type that GValue converts to the wanted one; FALSE for others.
gboolean raster_structure_get_double(const GstStructure *structure, const char *field,
                                     double *value);
static inline void raster_structure_set_range(GstStructure *structure, const char *field) {
  gst_structure_set(structure, field, GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
}
static inline void raster_structure_set_fraction_range(GstStructure *structure,
                                                       const char *field) {
  gst_structure_set(structure, field, GST_TYPE_FRACTION_RANGE, 1, G_MAXINT, G_MAXINT, 1, NULL);
}
static inline void raster_structure_set_fraction(GstStructure *structure, const char *field,
                                                 gint numerator, gint denominator) {
  gst_structure_set(structure, field, GST_TYPE_FRACTION, numerator, denominator, NULL);
}
// gst_video_format_from_string is declared as if it read no memory (G_GNUC_CONST), so an optimizer may call
// it when the text is no longer there. A function in another file keeps the call where it is.
GstVideoFormat raster_video_format_from_string(const char *name);
static inline gboolean raster_video_format_is_rgb(const GstVideoFormatInfo *format) {
  return format != NULL && GST_VIDEO_FORMAT_INFO_IS_RGB(format);
}
static inline const char *raster_structure_field(const GstStructure *structure, guint index) {
  return gst_structure_nth_field_name(structure, index);
}
static inline GType raster_video_meta_api(void) { return GST_VIDEO_META_API_TYPE; }

// MARK: Pools (rasterpool.c)

// A pool of at most `bound` buffers of that allocator's memory, whose waits `monitor` is told of. Takes over
// the references to both.
GstBufferPool *raster_buffer_pool_new(gpointer monitor, GstAllocator *allocator, guint bound);
gboolean raster_is_buffer_pool(GstBufferPool *pool);
// Whether a pool of such a configuration has buffers of ordinary memory.
gboolean raster_pool_is_ordinary(GstBufferPool *pool, GstStructure *config);
// Limits the pool to a video layout: strides that are multiples of `alignment` (a power of two).
void raster_pool_config_set_stride_alignment(GstStructure *config, guint alignment);
static inline void raster_pool_config_add_video_meta(GstStructure *config) {
  gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_META);
}

typedef GstFlowReturn (*RasterPoolAcquire)(GstBufferPool *pool, GstBuffer **buffer,
                                           GstBufferPoolAcquireParams *params);
// Takes a buffer by `acquire`, and tells `monitor` where that has to wait.
GstFlowReturn raster_pool_acquire(GstBufferPool *pool, GstBuffer **buffer,
                                  GstBufferPoolAcquireParams *params, gpointer monitor,
                                  RasterPoolAcquire acquire);

// A Vulkan device of this process, by a number, as part of an ALLOCATION query: whoever adds it takes memory
// that stays on that device. It passes queues and tees, which pools do not.
void raster_query_add_device(GstQuery *query, guint device);
gboolean raster_query_has_device(GstQuery *query, guint device);

// Called by pools, implemented in Swift.
gpointer raster_pool_begin_wait(gpointer monitor);
void raster_pool_end_wait(gpointer monitor, gpointer wait);
guint raster_pool_did_acquire(gpointer monitor);
guint raster_pool_did_release(gpointer monitor);
void raster_pool_release(gpointer monitor);

G_END_DECLS
