// The plugin's entry point. It runs in the plugin scanner: no thread, no Vulkan, nothing that fails.
#include "raster_shim.h"

#define PACKAGE "raster"

GST_DEBUG_CATEGORY_STATIC(raster_debug);

static gboolean plugin_init(GstPlugin *plugin) {
  GST_DEBUG_CATEGORY_INIT(raster_debug, "raster", 0, "Video processing on Vulkan");
  return gst_element_register(plugin, "rasterfilter", GST_RANK_NONE, raster_filter_get_type()) &&
         gst_element_register(plugin, "rastercompositor", GST_RANK_NONE,
                              raster_compositor_get_type());
}

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, raster,
                  "Filters and compositing of video on Vulkan, without copies", plugin_init, "0.1.0",
                  "MIT/X11", "Raster", "Unknown package origin")

gboolean raster_log_enabled(GstDebugLevel level) {
  return raster_debug != NULL && level <= gst_debug_category_get_threshold(raster_debug);
}

void raster_log(GstDebugLevel level, gpointer object, const char *file, const char *function,
                int line, const char *message) {
  if (!raster_log_enabled(level)) return;
  gst_debug_log(raster_debug, level, file, function, line, object, "%s", message);
}

void raster_log_performance(gpointer object, const char *message) {
  GstDebugCategory *category = NULL;
  GST_DEBUG_CATEGORY_GET(category, "GST_PERFORMANCE");
  GST_CAT_INFO_OBJECT(category, object, "%s", message);
}

static char *pad_peer_name(GstPad *pad) {
  GstPad *peer = gst_pad_get_peer(pad);
  if (peer == NULL) return NULL;
  GstElement *element = gst_pad_get_parent_element(peer);
  gst_object_unref(peer);
  if (element == NULL) return NULL;
  char *name = gst_object_get_name(GST_OBJECT(element));
  gst_object_unref(element);
  return name;
}

char *raster_element_peer_name(GstElement *element, GstPadDirection direction) {
  GST_OBJECT_LOCK(element);
  GList *pads = direction == GST_PAD_SRC ? element->srcpads : element->sinkpads;
  GstPad *pad = pads == NULL ? NULL : gst_object_ref(pads->data);
  GST_OBJECT_UNLOCK(element);
  char *name = pad == NULL ? NULL : pad_peer_name(pad);
  gst_clear_object(&pad);
  return name;
}

gboolean raster_structure_get_double(const GstStructure *structure, const char *field,
                                     double *value) {
  GValue number = G_VALUE_INIT;
  g_value_init(&number, G_TYPE_DOUBLE);
  const GValue *found = gst_structure_get_value(structure, field);
  // GValue would turn words and truth values into numbers, too.
  gboolean result = found != NULL && !G_VALUE_HOLDS_STRING(found) &&
                    !G_VALUE_HOLDS_BOOLEAN(found) && g_value_transform(found, &number);
  if (result) *value = g_value_get_double(&number);
  g_value_unset(&number);
  return result;
}

GstEvent *raster_navigation_moved(GstEvent *event, double x, double y) {
  GstStructure *structure = gst_structure_copy(gst_event_get_structure(event));
  gst_structure_set(structure, "pointer_x", G_TYPE_DOUBLE, x, "pointer_y", G_TYPE_DOUBLE, y, NULL);
  return gst_event_new_navigation(structure);
}

GstVideoFormat raster_video_format_from_string(const char *name) {
  return gst_video_format_from_string(name);
}
