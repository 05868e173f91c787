// malloc, in place of the C library's, which does the work.
#define _GNU_SOURCE
#include "allocation_count.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static _Thread_local int is_counting;
static _Thread_local unsigned long count;

void allocation_count_begin(void) {
  count = 0;
  is_counting = 1;
}

unsigned long allocation_count_end(void) {
  is_counting = 0;
  return count;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#if defined(HAS_SANITIZER) || !defined(__GLIBC__)
int allocation_count_works(void) { return 0; }
#else
int allocation_count_works(void) { return 1; }

extern void *__libc_malloc(size_t size);

void *malloc(size_t size) {
  if (is_counting) {
    // What asks for it is Swift's runtime, and not GLib or the driver.
    is_counting = 0;
    Dl_info info;
    if (dladdr(__builtin_return_address(0), &info) != 0 && info.dli_fname != NULL &&
        strstr(info.dli_fname, "libswiftCore") != NULL)
      count++;
    is_counting = 1;
  }
  return __libc_malloc(size);
}
#endif
