// Tells ThreadSanitizer the order that locks and references make in libraries that are not compiled for it. The
// functions of this target have the names of theirs, are found first, and call them. Without that sanitizer, there are
// none.
#pragma once

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_THREAD_SANITIZER 1
#endif
#endif

#ifdef HAS_THREAD_SANITIZER
// Of the sanitizer's runtime: what a thread did before it released an address comes before what a thread does after
// it acquired the same one.
void __tsan_acquire(void *address);
void __tsan_release(void *address);

// The library's function of that name. `cache` keeps it.
void *thread_order_next(_Atomic(void *) *cache, const char *name);

// The function that would be called if this target did not have one of the same name.
#define NEXT(function) NEXT_NAMED(function, #function)
#define NEXT_NAMED(function, name)                              \
  ({                                                            \
    static _Atomic(void *) cache;                               \
    (__typeof__(&(function)))thread_order_next(&cache, (name)); \
  })
#endif
