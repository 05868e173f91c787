// Counts of references, which are atomics within libgobject and libgstreamer. All that was done with an object comes
// before its end.
#include "thread_order.h"

#ifdef HAS_THREAD_SANITIZER
#include <gst/gst.h>

// Takes one away unless it is the last. As this code is compiled for the sanitizer, it sees these atomics: who
// lets go releases, and who finds that none but its own is left acquires.
static gboolean leave_to_others(gint *count) {
  gint references = __atomic_load_n(count, __ATOMIC_RELAXED);
  while (references > 1)
    if (__atomic_compare_exchange_n(count, &references, references - 1, FALSE, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED))
      return TRUE;
  __tsan_acquire(count);
  return FALSE;
}

// Toggle references, of which GStreamer has none, would want to know of the last but one.
void g_object_unref(gpointer object) {
  if (!leave_to_others((gint *)&((GObject *)object)->ref_count)) NEXT(g_object_unref)(object);
}

void gst_mini_object_unref(GstMiniObject *object) {
  if (!leave_to_others(&object->refcount)) NEXT(gst_mini_object_unref)(object);
}

// Lets go of the memory by functions within the library.
void gst_buffer_remove_all_memory(GstBuffer *buffer) {
  for (guint index = 0; index < gst_buffer_n_memory(buffer); index++)
    __tsan_release(&gst_buffer_peek_memory(buffer, index)->mini_object.refcount);
  NEXT(gst_buffer_remove_all_memory)(buffer);
}
#endif
