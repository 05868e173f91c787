#pragma once
#include <gst/check/gstharness.h>
#include <gst/controller/gstinterpolationcontrolsource.h>
#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/gst.h>
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

// Declared by the C library only for programs that ask for its own extensions.
extern int gettid(void);
static inline int raster_test_thread_id(void) { return gettid(); }

// References that exist to a buffer.
static inline int raster_test_buffer_references(GstBuffer *buffer) {
  return GST_MINI_OBJECT_REFCOUNT_VALUE(buffer);
}

// Gives memory that is free back to the system, so that what is in use can be measured.
extern int malloc_trim(size_t padding);
static inline void raster_test_trim_heap(void) { malloc_trim(0); }
