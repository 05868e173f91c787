// Swift's Mutex hands over a lock that another thread waits for within libswiftSynchronization; all else that it does
// is compiled into its users. What is made once is made within libswiftCore.
#include "thread_order.h"

#ifdef HAS_THREAD_SANITIZER
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *handle

// _MutexHandle._lockSlow(_:), _tryLockSlow() and _unlockSlow(), by the names that the linker knows.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void mutex_lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool mutex_try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT void mutex_unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void mutex_lock_slow(uint32_t thread, SELF) {
  NEXT_NAMED(mutex_lock_slow, LOCK)(thread, handle);
  __tsan_acquire(handle);
}

SWIFT bool mutex_try_lock_slow(SELF) {
  bool is_locked = NEXT_NAMED(mutex_try_lock_slow, TRY_LOCK)(handle);
  if (is_locked) __tsan_acquire(handle);
  return is_locked;
}

SWIFT void mutex_unlock_slow(SELF) {
  __tsan_release(handle);
  NEXT_NAMED(mutex_unlock_slow, UNLOCK)(handle);
}

typedef struct {
  void (*make)(void *context);
  void *context;
  void *predicate;
} Once;

static void make_once(void *once) {
  ((Once *)once)->make(((Once *)once)->context);
  __tsan_release(((Once *)once)->predicate);
}

void swift_once(void *predicate, void (*make)(void *context), void *context);

void swift_once(void *predicate, void (*make)(void *context), void *context) {
  Once once = {make, context, predicate};
  NEXT(swift_once)(predicate, make_once, &once);
  __tsan_acquire(predicate);
}
#endif
