// Swift's counts of references, which are atomics within libswiftCore: all that was done with an object comes before
// its end, and who finds that it alone has an array may write it in place, after all that others did with it.
#include "thread_order.h"

#ifdef HAS_THREAD_SANITIZER
#include <sanitizer/allocator_interface.h>
#include <stdbool.h>
#include <stdint.h>

// The object within a bridge object, by libswiftCore's own mask; the others are negative.
#define OBJECT(bridge) ((void *)((uintptr_t)(bridge) & 0x80fffffffffffff9))

bool swift_isUniquelyReferenced_nonNull_native(const void *object);
void swift_release(void *object);
void swift_release_n(void *object, uint32_t count);
void swift_bridgeObjectRelease(void *bridge);
void swift_bridgeObjectRelease_n(void *bridge, uint32_t count);

bool swift_isUniquelyReferenced_nonNull_native(const void *object) {
  bool is_unique = NEXT(swift_isUniquelyReferenced_nonNull_native)(object);
  if (is_unique) __tsan_acquire((void *)object);
  return is_unique;
}

// Nobody comes after the last one.
static void leave_to_others(void *object) {
  if ((intptr_t)object > 0 && !NEXT(swift_isUniquelyReferenced_nonNull_native)(object))
    __tsan_release(object);
}

void swift_release(void *object) {
  leave_to_others(object);
  NEXT(swift_release)(object);
}

void swift_release_n(void *object, uint32_t count) {
  leave_to_others(object);
  NEXT(swift_release_n)(object, count);
}

void swift_bridgeObjectRelease(void *bridge) {
  leave_to_others(OBJECT(bridge));
  NEXT(swift_bridgeObjectRelease)(bridge);
}

void swift_bridgeObjectRelease_n(void *bridge, uint32_t count) {
  leave_to_others(OBJECT(bridge));
  NEXT(swift_bridgeObjectRelease_n)(bridge, count);
}

// The compiler makes the sanitizer look away while a deinit runs, since that would not see what comes before it; but
// then nothing is seen that a deinit calls, such as GStreamer. The linker puts these in place of the runtime's.
#define SELF __attribute__((swift_context)) void *object
__attribute__((swiftcall)) void __wrap___tsan_ignore_thread_begin(SELF);
void __wrap___tsan_ignore_thread_end(void);

// Begins a deinit, before the register with self is used for anything else.
__attribute__((swiftcall)) void __wrap___tsan_ignore_thread_begin(SELF) {
  // The self of a struct is not counted, and may be anywhere.
  if (__sanitizer_get_ownership(object)) __tsan_acquire(object);
}

void __wrap___tsan_ignore_thread_end(void) {}
#endif
