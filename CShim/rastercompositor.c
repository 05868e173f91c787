// The GType of rastercompositor. Every function hands over to Swift.
#include "raster_shim.h"

typedef struct {
  GstVideoAggregator base;
  gpointer swift;
} RasterCompositor;

typedef struct {
  GstVideoAggregatorClass base;
} RasterCompositorClass;

static void init_child_proxy(gpointer interface, gpointer data);

G_DEFINE_TYPE_WITH_CODE(RasterCompositor, raster_compositor, GST_TYPE_VIDEO_AGGREGATOR,
                        G_IMPLEMENT_INTERFACE(GST_TYPE_CHILD_PROXY, init_child_proxy))

#define SWIFT(instance) (((RasterCompositor *)(instance))->swift)
#define PARENT GST_AGGREGATOR_CLASS(raster_compositor_parent_class)

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  (void)spec;
  raster_compositor_set_property(SWIFT(object), id - 1, value);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  (void)spec;
  raster_compositor_get_property(SWIFT(object), id - 1, value);
}

static void finalize(GObject *object) {
  raster_compositor_destroy(SWIFT(object));
  SWIFT(object) = NULL;
  G_OBJECT_CLASS(raster_compositor_parent_class)->finalize(object);
}

static GstStateChangeReturn change_state(GstElement *element, GstStateChange transition) {
  if (!raster_compositor_will_change_state(SWIFT(element), transition))
    return GST_STATE_CHANGE_FAILURE;
  GstStateChangeReturn result =
      GST_ELEMENT_CLASS(raster_compositor_parent_class)->change_state(element, transition);
  raster_compositor_did_change_state(SWIFT(element), transition, result);
  return result;
}

static GstPad *request_new_pad(GstElement *element, GstPadTemplate *template, const char *name,
                               const GstCaps *caps) {
  GstPad *pad = GST_ELEMENT_CLASS(raster_compositor_parent_class)
                    ->request_new_pad(element, template, name, caps);
  if (pad == NULL) return NULL;
  raster_layer_attach(raster_layer_get_swift(pad), SWIFT(element));
  gst_child_proxy_child_added(GST_CHILD_PROXY(element), G_OBJECT(pad), GST_OBJECT_NAME(pad));
  return pad;
}

static void release_pad(GstElement *element, GstPad *pad) {
  gst_child_proxy_child_removed(GST_CHILD_PROXY(element), G_OBJECT(pad), GST_OBJECT_NAME(pad));
  raster_compositor_forget(SWIFT(element), raster_layer_get_swift(pad));
  GST_ELEMENT_CLASS(raster_compositor_parent_class)->release_pad(element, pad);
}

static gboolean stop(GstAggregator *base) {
  raster_compositor_stop(SWIFT(base));
  return PARENT->stop(base);
}

// MARK: Negotiation

static GstCaps *fixate_src_caps(GstAggregator *base, GstCaps *caps) {
  return raster_compositor_fixate_caps(SWIFT(base), caps);
}

static gboolean negotiated_src_caps(GstAggregator *base, GstCaps *caps) {
  return raster_compositor_set_caps(SWIFT(base), caps) && PARENT->negotiated_src_caps(base, caps);
}

static gboolean decide_allocation(GstAggregator *base, GstQuery *query) {
  if (!raster_compositor_decide_allocation(SWIFT(base), query)) return FALSE;
  // Frames come from the pool that was made of these; the base class needs none.
  while (gst_query_get_n_allocation_pools(query) > 0)
    gst_query_remove_nth_allocation_pool(query, 0);
  return TRUE;
}

static gboolean propose_allocation(GstAggregator *base, GstAggregatorPad *pad, GstQuery *decided,
                                   GstQuery *query) {
  if (!PARENT->propose_allocation(base, pad, decided, query)) return FALSE;
  raster_compositor_propose_allocation(SWIFT(base), raster_layer_get_swift(GST_PAD(pad)), query);
  return TRUE;
}

static void answer_caps(GstAggregator *base, GstQuery *query) {
  GstCaps *filter = NULL;
  gst_query_parse_caps(query, &filter);
  GstCaps *caps = raster_compositor_input_caps(SWIFT(base), filter);
  gst_query_set_caps_result(query, caps);
  gst_caps_unref(caps);
}

static void answer_accept_caps(GstAggregator *base, GstQuery *query) {
  GstCaps *wanted = NULL;
  gst_query_parse_accept_caps(query, &wanted);
  GstCaps *caps = raster_compositor_input_caps(SWIFT(base), NULL);
  gst_query_set_accept_caps_result(query, gst_caps_can_intersect(wanted, caps));
  gst_caps_unref(caps);
}

static gboolean sink_query(GstAggregator *base, GstAggregatorPad *pad, GstQuery *query) {
  switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_CAPS: answer_caps(base, query); return TRUE;
    case GST_QUERY_ACCEPT_CAPS: answer_accept_caps(base, query); return TRUE;
    default: return PARENT->sink_query(base, pad, query);
  }
}

// MARK: Events

static GstFlowReturn sink_event_pre_queue(GstAggregator *base, GstAggregatorPad *pad,
                                          GstEvent *event) {
  gpointer layer = raster_layer_get_swift(GST_PAD(pad));
  if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_START &&
      raster_compositor_note_flush(SWIFT(base), layer, gst_event_get_seqnum(event)))
    raster_compositor_set_flushing(SWIFT(base), TRUE);
  if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP)
    raster_compositor_end_flush(SWIFT(base), layer);
  return PARENT->sink_event_pre_queue(base, pad, event);
}

static GstFlowReturn flush(GstAggregator *base) {
  GstFlowReturn flow = PARENT->flush(base);
  raster_compositor_set_flushing(SWIFT(base), FALSE);
  return flow;
}

static gboolean sink_event(GstAggregator *base, GstAggregatorPad *pad, GstEvent *event) {
  const GstSegment *segment = NULL;
  if (GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT) gst_event_parse_segment(event, &segment);
  if (segment != NULL && segment->format != GST_FORMAT_TIME) {
    // The base class would end the process.
    raster_compositor_refuse_segment(SWIFT(base), segment->format);
    gst_event_unref(event);
    return FALSE;
  }
  raster_layer_note_event(raster_layer_get_swift(GST_PAD(pad)), event);
  return PARENT->sink_event(base, pad, event);
}

static gboolean is_pointer(GstEvent *event) {
  double x, y;
  return GST_EVENT_TYPE(event) == GST_EVENT_NAVIGATION &&
         gst_structure_get(gst_event_get_structure(event), "pointer_x", G_TYPE_DOUBLE, &x,
                           "pointer_y", G_TYPE_DOUBLE, &y, NULL);
}

static gboolean is_flushing_seek(GstEvent *event) {
  GstSeekFlags flags = 0;
  if (GST_EVENT_TYPE(event) == GST_EVENT_SEEK)
    gst_event_parse_seek(event, NULL, NULL, &flags, NULL, NULL, NULL, NULL);
  return (flags & GST_SEEK_FLAG_FLUSH) != 0;
}

static gboolean src_event(GstAggregator *base, GstEvent *event) {
  if (is_pointer(event)) {
    raster_compositor_navigate(SWIFT(base), event);
    gst_event_unref(event);
    return TRUE;
  }
  if (!is_flushing_seek(event)) return PARENT->src_event(base, event);
  // The base class waits for the streaming thread before any pad is flushed, or none is.
  raster_compositor_set_flushing(SWIFT(base), TRUE);
  gboolean result = PARENT->src_event(base, event);
  raster_compositor_set_flushing(SWIFT(base), FALSE);
  return result;
}

// MARK: Frames

static GstFlowReturn aggregate(GstAggregator *base, gboolean timeout) {
  raster_compositor_prepare(SWIFT(base));
  return PARENT->aggregate(base, timeout);
}

static GstFlowReturn create_output_buffer(GstVideoAggregator *base, GstBuffer **output) {
  return raster_compositor_acquire(SWIFT(base), output);
}

static GstFlowReturn aggregate_frames(GstVideoAggregator *base, GstBuffer *output) {
  return raster_compositor_compose(SWIFT(base), output);
}

// MARK: Class

static GObject *get_child(GstChildProxy *proxy, guint index) {
  return raster_compositor_get_child(SWIFT(proxy), index);
}

static guint child_count(GstChildProxy *proxy) {
  return raster_compositor_child_count(SWIFT(proxy));
}

static void init_child_proxy(gpointer interface, gpointer data) {
  (void)data;
  ((GstChildProxyInterface *)interface)->get_child_by_index = get_child;
  ((GstChildProxyInterface *)interface)->get_children_count = child_count;
}

static void init_object_class(GObjectClass *object) {
  object->set_property = set_property;
  object->get_property = get_property;
  object->finalize = finalize;
  for (guint index = 0; index < raster_compositor_property_count(); index++) {
    RasterPropertySpec spec = raster_compositor_property_spec(index);
    g_object_class_install_property(object, index + 1, raster_property_make(&spec));
  }
}

static void init_aggregator_class(GstAggregatorClass *base) {
  base->stop = stop;
  base->flush = flush;
  base->fixate_src_caps = fixate_src_caps;
  base->negotiated_src_caps = negotiated_src_caps;
  base->decide_allocation = decide_allocation;
  base->propose_allocation = propose_allocation;
  base->sink_query = sink_query;
  base->sink_event = sink_event;
  base->sink_event_pre_queue = sink_event_pre_queue;
  base->src_event = src_event;
  base->aggregate = aggregate;
}

static void add_pad_template(GstElementClass *element, const char *name,
                             GstPadDirection direction, GstPadPresence presence, GType type) {
  GstCaps *caps = raster_compositor_template_caps();
  gst_element_class_add_pad_template(
      element, gst_pad_template_new_with_gtype(name, direction, presence, caps, type));
  gst_caps_unref(caps);
}

static void raster_compositor_class_init(RasterCompositorClass *class) {
  GstElementClass *element = GST_ELEMENT_CLASS(class);
  init_object_class(G_OBJECT_CLASS(class));
  init_aggregator_class(GST_AGGREGATOR_CLASS(class));
  class->base.create_output_buffer = create_output_buffer;
  class->base.aggregate_frames = aggregate_frames;
  element->change_state = change_state;
  element->request_new_pad = request_new_pad;
  element->release_pad = release_pad;
  add_pad_template(element, "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_TYPE_AGGREGATOR_PAD);
  add_pad_template(element, "sink_%u", GST_PAD_SINK, GST_PAD_REQUEST, raster_layer_get_type());
  gst_type_mark_as_plugin_api(raster_layer_get_type(), 0);
  gst_element_class_set_static_metadata(
      element, "Raster compositor", "Filter/Editor/Video/Compositor",
      "Puts video streams over each other on Vulkan, each with its own filters, in one pass",
      "The Raster developers");
}

static void raster_compositor_init(RasterCompositor *self) {
  self->swift = raster_compositor_create(&self->base);
}
