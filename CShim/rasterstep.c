// The GTypes of filter steps: one for each row of the filter registry, with its parameters as properties.
#include "raster_shim.h"

typedef struct {
  GstObject object;
  gpointer swift;
} RasterStep;

typedef struct {
  GstObjectClass base;
} RasterStepClass;

G_DEFINE_ABSTRACT_TYPE(RasterStep, raster_step, GST_TYPE_OBJECT)

#define SWIFT(instance) (((RasterStep *)(instance))->swift)

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  (void)spec;
  raster_step_set_property(SWIFT(object), id - 1, value);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  (void)spec;
  raster_step_get_property(SWIFT(object), id - 1, value);
}

static void finalize(GObject *object) {
  raster_step_destroy(SWIFT(object));
  G_OBJECT_CLASS(raster_step_parent_class)->finalize(object);
}

static void raster_step_class_init(RasterStepClass *class) {
  G_OBJECT_CLASS(class)->finalize = finalize;
}

static void raster_step_init(RasterStep *self) { (void)self; }

static void row_class_init(gpointer class, gpointer data) {
  guint filter = GPOINTER_TO_UINT(data);
  GObjectClass *object = G_OBJECT_CLASS(class);
  object->set_property = set_property;
  object->get_property = get_property;
  for (guint index = 0; index < raster_step_property_count(filter); index++) {
    RasterPropertySpec spec = raster_step_property_spec(filter, index);
    g_object_class_install_property(object, index + 1, raster_property_make(&spec));
  }
}

GType raster_step_get_row_type(guint filter, const char *name) {
  static GMutex lock;
  char *type_name = g_strconcat("RasterStep-", name, NULL);
  g_mutex_lock(&lock);
  GType type = g_type_from_name(type_name);
  if (type == 0) {
    GTypeInfo info = {.class_size = sizeof(RasterStepClass),
                      .class_init = row_class_init,
                      .class_data = GUINT_TO_POINTER(filter),
                      .instance_size = sizeof(RasterStep)};
    type = g_type_register_static(raster_step_get_type(), type_name, &info, 0);
  }
  g_mutex_unlock(&lock);
  g_free(type_name);
  return type;
}

GstObject *raster_step_new(GType type, const char *name, gpointer swift, GstObject *parent) {
  RasterStep *self = g_object_new(type, "name", name, NULL);
  self->swift = swift;
  gst_object_set_parent(&self->object, parent);
  return gst_object_ref(&self->object);
}

void raster_step_drop(GstObject *step) {
  gst_object_unparent(step);
  gst_object_unref(step);
}
