// GObject properties from descriptions of them.
#include "raster_shim.h"

// A new GType with the nicks of a description, which is made once.
static GType make_enum(const RasterPropertySpec *spec) {
  GType known = g_type_from_name(spec->enum_name);
  if (known != 0) return known;
  guint count = g_strv_length((char **)spec->nicks);
  GEnumValue *values = g_new0(GEnumValue, count + 1);
  for (guint index = 0; index < count; index++)
    values[index] = (GEnumValue){(gint)index, spec->nicks[index], spec->nicks[index]};
  GType type = g_enum_register_static(spec->enum_name, values);
  gst_type_mark_as_plugin_api(type, 0);
  return type;
}

static GParamSpec *make_enum_property(const RasterPropertySpec *spec) {
  return g_param_spec_enum(spec->name, spec->nick, spec->blurb,
                           spec->enum_type != 0 ? spec->enum_type : make_enum(spec),
                           (gint)spec->default_value,
                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_CONTROLLABLE |
                               GST_PARAM_MUTABLE_PLAYING);
}

static GParamSpec *make_number(const RasterPropertySpec *spec, GParamFlags flags) {
  const GParamFlags animated = flags | GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING;
  switch (spec->kind) {
    case RASTER_PROPERTY_DOUBLE:
      return g_param_spec_double(spec->name, spec->nick, spec->blurb, spec->minimum, spec->maximum,
                                 spec->default_value, animated);
    case RASTER_PROPERTY_INT:
      return g_param_spec_int(spec->name, spec->nick, spec->blurb, (gint)spec->minimum,
                              (gint)spec->maximum, (gint)spec->default_value, animated);
    case RASTER_PROPERTY_COLOR:
      return g_param_spec_uint(spec->name, spec->nick, spec->blurb, 0, G_MAXUINT32,
                               (guint)spec->default_value, animated);
    default:
      return g_param_spec_uint(spec->name, spec->nick, spec->blurb, (guint)spec->minimum,
                               (guint)spec->maximum, (guint)spec->default_value,
                               flags | GST_PARAM_MUTABLE_READY);
  }
}

GParamSpec *raster_property_make(const RasterPropertySpec *spec) {
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  switch (spec->kind) {
    case RASTER_PROPERTY_ENUM:
      return make_enum_property(spec);
    case RASTER_PROPERTY_BOOLEAN:
      return g_param_spec_boolean(spec->name, spec->nick, spec->blurb, spec->default_value != 0,
                                  flags | GST_PARAM_MUTABLE_PLAYING);
    case RASTER_PROPERTY_TEXT:
      return g_param_spec_string(spec->name, spec->nick, spec->blurb, spec->default_text,
                                 flags | GST_PARAM_MUTABLE_PLAYING);
    case RASTER_PROPERTY_STRING:
      return g_param_spec_string(spec->name, spec->nick, spec->blurb, NULL,
                                 flags | GST_PARAM_MUTABLE_READY);
    case RASTER_PROPERTY_STRUCTURE:
      return g_param_spec_boxed(spec->name, spec->nick, spec->blurb, GST_TYPE_STRUCTURE,
                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    case RASTER_PROPERTY_CONFIG:
      return g_param_spec_boxed(spec->name, spec->nick, spec->blurb, GST_TYPE_STRUCTURE,
                                flags | GST_PARAM_MUTABLE_PLAYING);
    default:
      return make_number(spec, flags);
  }
}
