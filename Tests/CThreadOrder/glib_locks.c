// GLib's locks, which are futexes and atomics within libglib. Its recursive and its read-write locks are those of
// pthread, which the sanitizer sees by itself.
#include "thread_order.h"

#ifdef HAS_THREAD_SANITIZER
#include <glib.h>

void g_mutex_lock(GMutex *mutex) {
  NEXT(g_mutex_lock)(mutex);
  __tsan_acquire(mutex);
}

gboolean g_mutex_trylock(GMutex *mutex) {
  gboolean is_locked = NEXT(g_mutex_trylock)(mutex);
  if (is_locked) __tsan_acquire(mutex);
  return is_locked;
}

void g_mutex_unlock(GMutex *mutex) {
  __tsan_release(mutex);
  NEXT(g_mutex_unlock)(mutex);
}

// Who waits gives the lock away meanwhile. Who wakes makes no order: only the lock does.
void g_cond_wait(GCond *cond, GMutex *mutex) {
  __tsan_release(mutex);
  NEXT(g_cond_wait)(cond, mutex);
  __tsan_acquire(mutex);
}

gboolean g_cond_wait_until(GCond *cond, GMutex *mutex, gint64 end_time) {
  __tsan_release(mutex);
  gboolean is_woken = NEXT(g_cond_wait_until)(cond, mutex, end_time);
  __tsan_acquire(mutex);
  return is_woken;
}

// GLib makes macros of these, which read the location before they call.
#undef g_once_init_enter
#undef g_once_init_leave

gboolean g_once_init_enter(volatile void *location) {
  gboolean is_first = NEXT(g_once_init_enter)(location);
  if (!is_first) __tsan_acquire((void *)location);
  return is_first;
}

void g_once_init_leave(volatile void *location, gsize result) {
  __tsan_release((void *)location);
  NEXT(g_once_init_leave)(location, result);
}
#endif
