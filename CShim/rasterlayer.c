// The GType of rastercompositor's pads. Every function hands over to Swift.
#include "raster_shim.h"

typedef struct {
  GstVideoAggregatorPad base;
  gpointer swift;
} RasterLayer;

typedef struct {
  GstVideoAggregatorPadClass base;
} RasterLayerClass;

static void init_child_proxy(gpointer interface, gpointer data);

G_DEFINE_TYPE_WITH_CODE(RasterLayer, raster_layer, GST_TYPE_VIDEO_AGGREGATOR_PAD,
                        G_IMPLEMENT_INTERFACE(GST_TYPE_CHILD_PROXY, init_child_proxy))

#define SWIFT(instance) (((RasterLayer *)(instance))->swift)

gpointer raster_layer_get_swift(GstPad *pad) { return SWIFT(pad); }

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  (void)spec;
  raster_layer_set_property(SWIFT(object), id - 1, value);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  (void)spec;
  raster_layer_get_property(SWIFT(object), id - 1, value);
}

static void finalize(GObject *object) {
  raster_layer_destroy(SWIFT(object));
  SWIFT(object) = NULL;
  G_OBJECT_CLASS(raster_layer_parent_class)->finalize(object);
}

// In place of the base class's own, which maps the frame for the CPU.
static gboolean prepare_frame(GstVideoAggregatorPad *pad, GstVideoAggregator *aggregator,
                              GstBuffer *buffer, GstVideoFrame *frame) {
  (void)pad, (void)aggregator, (void)buffer, (void)frame;
  return TRUE;
}

static GObject *get_child(GstChildProxy *proxy, guint index) {
  return raster_layer_get_child(SWIFT(proxy), index);
}

static guint child_count(GstChildProxy *proxy) { return raster_layer_child_count(SWIFT(proxy)); }

static void init_child_proxy(gpointer interface, gpointer data) {
  (void)data;
  ((GstChildProxyInterface *)interface)->get_child_by_index = get_child;
  ((GstChildProxyInterface *)interface)->get_children_count = child_count;
}

static void raster_layer_class_init(RasterLayerClass *class) {
  GObjectClass *object = G_OBJECT_CLASS(class);
  object->set_property = set_property;
  object->get_property = get_property;
  object->finalize = finalize;
  for (guint index = 0; index < raster_layer_property_count(); index++) {
    RasterPropertySpec spec = raster_layer_property_spec(index);
    g_object_class_install_property(object, index + 1, raster_property_make(&spec));
  }
  class->base.prepare_frame = prepare_frame;
}

static void raster_layer_init(RasterLayer *self) { self->swift = raster_layer_create(&self->base); }
