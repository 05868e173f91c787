// Swift's counts of references, which are atomics within libswiftCore: who finds that it alone has an array may write
// it in place, after all that others did with it. The end of an object needs no order here, since the compiler does
// not let the sanitizer watch a deinit.
#include "thread_order.h"

#ifdef HAS_THREAD_SANITIZER
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
#endif
