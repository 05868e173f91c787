// The GType of rasterfilter. Every function hands over to Swift.
#include "raster_shim.h"

typedef struct {
  GstBaseTransform base;
  gpointer swift;
} RasterFilter;

typedef struct {
  GstBaseTransformClass base;
} RasterFilterClass;

static void init_child_proxy(gpointer interface, gpointer data);

G_DEFINE_TYPE_WITH_CODE(RasterFilter, raster_filter, GST_TYPE_BASE_TRANSFORM,
                        G_IMPLEMENT_INTERFACE(GST_TYPE_CHILD_PROXY, init_child_proxy))

#define SWIFT(instance) (((RasterFilter *)(instance))->swift)

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  (void)spec;
  raster_filter_set_property(SWIFT(object), id - 1, value);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  (void)spec;
  raster_filter_get_property(SWIFT(object), id - 1, value);
}

static void finalize(GObject *object) {
  raster_filter_destroy(SWIFT(object));
  SWIFT(object) = NULL;
  G_OBJECT_CLASS(raster_filter_parent_class)->finalize(object);
}

static GstStateChangeReturn change_state(GstElement *element, GstStateChange transition) {
  if (!raster_filter_will_change_state(SWIFT(element), transition)) return GST_STATE_CHANGE_FAILURE;
  GstStateChangeReturn result =
      GST_ELEMENT_CLASS(raster_filter_parent_class)->change_state(element, transition);
  raster_filter_did_change_state(SWIFT(element), transition, result);
  return result;
}

gboolean raster_element_is_on_the_way(gpointer element) {
  if (GST_STATE(element) == GST_STATE_PLAYING) return TRUE;
  GstObject *top = gst_object_ref(element);
  for (GstObject *parent = gst_object_get_parent(top); parent != NULL;
       parent = gst_object_get_parent(top)) {
    gst_object_unref(top);
    top = parent;
  }
  gboolean result = GST_STATE_RETURN(top) == GST_STATE_CHANGE_ASYNC;
  gst_object_unref(top);
  return result;
}

static GstCaps *transform_caps(GstBaseTransform *base, GstPadDirection direction, GstCaps *caps,
                               GstCaps *filter) {
  (void)direction;
  GstCaps *result = raster_filter_transform_caps(SWIFT(base), caps);
  if (filter == NULL || result == NULL) return result;
  GstCaps *filtered = gst_caps_intersect_full(filter, result, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref(result);
  return filtered;
}

static GstCaps *fixate_caps(GstBaseTransform *base, GstPadDirection direction, GstCaps *caps,
                            GstCaps *others) {
  return raster_filter_fixate_caps(SWIFT(base), direction, caps, others);
}

static gboolean set_caps(GstBaseTransform *base, GstCaps *input, GstCaps *output) {
  return raster_filter_set_caps(SWIFT(base), input, output);
}

static gboolean stop(GstBaseTransform *base) {
  raster_filter_stop(SWIFT(base));
  return TRUE;
}

static gboolean decide_allocation(GstBaseTransform *base, GstQuery *query) {
  return raster_filter_decide_allocation(SWIFT(base), query);
}

static gboolean propose_allocation(GstBaseTransform *base, GstQuery *decided, GstQuery *query) {
  if (!GST_BASE_TRANSFORM_CLASS(raster_filter_parent_class)
           ->propose_allocation(base, decided, query))
    return FALSE;
  // In passthrough, downstream has answered.
  if (decided == NULL) return TRUE;
  // Frames of any stride and offset are read where they lie.
  if (!gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, NULL))
    gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, NULL);
  raster_filter_propose_allocation(SWIFT(base), query);
  return TRUE;
}

static void before_transform(GstBaseTransform *base, GstBuffer *buffer) {
  raster_filter_before_transform(SWIFT(base), buffer);
}

// Fills a frame of our pool from `input`; on failure there is no frame.
static GstFlowReturn render(GstBaseTransform *base, GstBuffer *input, GstBuffer **output) {
  GstFlowReturn flow = raster_filter_acquire(SWIFT(base), output);
  if (flow != GST_FLOW_OK) return flow;
  if (!GST_BASE_TRANSFORM_GET_CLASS(base)->copy_metadata(base, input, *output))
    GST_ELEMENT_WARNING(base, STREAM, NOT_IMPLEMENTED, ("could not copy metadata"), (NULL));
  flow = raster_filter_transform(SWIFT(base), input, *output);
  if (flow != GST_FLOW_OK) gst_clear_buffer(output);
  return flow;
}

// In place of the base class's own, which logs a warning when a flush ends the wait for a frame.
static GstFlowReturn generate_output(GstBaseTransform *base, GstBuffer **output) {
  GstBuffer *input = base->queued_buf;
  base->queued_buf = NULL;
  *output = input;
  if (input == NULL || gst_base_transform_is_passthrough(base)) return GST_FLOW_OK;
  *output = NULL;
  GstFlowReturn flow = render(base, input, output);
  gst_buffer_unref(input);
  return flow;
}

// Never called, but the base class takes an element without it for one that works in place.
static GstFlowReturn transform(GstBaseTransform *base, GstBuffer *input, GstBuffer *output) {
  return raster_filter_transform(SWIFT(base), input, output);
}

// The base class has already left out those that belong to the memory.
static gboolean transform_meta(GstBaseTransform *base, GstBuffer *output, GstMeta *meta,
                               GstBuffer *input) {
  return raster_filter_transform_meta(SWIFT(base), output, meta, input);
}

static gboolean sink_event(GstBaseTransform *base, GstEvent *event) {
  if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_START) raster_filter_set_flushing(SWIFT(base), TRUE);
  if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) raster_filter_set_flushing(SWIFT(base), FALSE);
  return GST_BASE_TRANSFORM_CLASS(raster_filter_parent_class)->sink_event(base, event);
}

static GObject *get_child(GstChildProxy *proxy, guint index) {
  return raster_filter_get_child(SWIFT(proxy), index);
}

static guint child_count(GstChildProxy *proxy) { return raster_filter_child_count(SWIFT(proxy)); }

static void init_child_proxy(gpointer interface, gpointer data) {
  (void)data;
  ((GstChildProxyInterface *)interface)->get_child_by_index = get_child;
  ((GstChildProxyInterface *)interface)->get_children_count = child_count;
}

static void add_pad_template(GstElementClass *element, const char *name,
                             GstPadDirection direction) {
  GstCaps *caps = raster_filter_template_caps();
  gst_element_class_add_pad_template(element,
                                     gst_pad_template_new(name, direction, GST_PAD_ALWAYS, caps));
  gst_caps_unref(caps);
}

static void init_object_class(GObjectClass *object) {
  object->set_property = set_property;
  object->get_property = get_property;
  object->finalize = finalize;
  for (guint index = 0; index < raster_filter_property_count(); index++) {
    RasterPropertySpec spec = raster_filter_property_spec(index);
    g_object_class_install_property(object, index + 1, raster_property_make(&spec));
  }
}

static void init_transform_class(GstBaseTransformClass *base) {
  base->transform_caps = transform_caps;
  base->fixate_caps = fixate_caps;
  base->set_caps = set_caps;
  base->stop = stop;
  base->decide_allocation = decide_allocation;
  base->propose_allocation = propose_allocation;
  base->before_transform = before_transform;
  base->generate_output = generate_output;
  base->transform = transform;
  base->transform_meta = transform_meta;
  base->sink_event = sink_event;
  base->passthrough_on_same_caps = FALSE;
}

static void raster_filter_class_init(RasterFilterClass *class) {
  GstElementClass *element = GST_ELEMENT_CLASS(class);
  init_object_class(G_OBJECT_CLASS(class));
  init_transform_class(GST_BASE_TRANSFORM_CLASS(class));
  element->change_state = change_state;
  add_pad_template(element, "sink", GST_PAD_SINK);
  add_pad_template(element, "src", GST_PAD_SRC);
  gst_element_class_set_static_metadata(
      element, "Raster filter", "Filter/Effect/Video",
      "Filters, scales and converts video on Vulkan in as few passes as can be",
      "The Raster developers");
}

static void raster_filter_init(RasterFilter *self) {
  gst_base_transform_set_qos_enabled(&self->base, TRUE);
  // Flags stay as they are, as in elements that work in place.
  gst_base_transform_set_gap_aware(&self->base, TRUE);
  self->swift = raster_filter_create(&self->base);
}
