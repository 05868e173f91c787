// Finds what stands in the libraries behind the functions of this target.
#define _GNU_SOURCE
#include "thread_order.h"

#ifdef HAS_THREAD_SANITIZER
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

// Not watched itself: it runs with every reference that is let go.
__attribute__((no_sanitize("thread"))) void *thread_order_next(_Atomic(void *) *cache, const char *name) {
  void *function = atomic_load_explicit(cache, memory_order_relaxed);
  if (function != NULL) return function;
  function = dlsym(RTLD_NEXT, name);
  if (function == NULL) {
    fprintf(stderr, "no library has %s\n", name);
    abort();
  }
  atomic_store_explicit(cache, function, memory_order_relaxed);
  return function;
}
#endif
