// Counts what Swift allocates on the heap, thread by thread.
#pragma once

// Whether counting works in this build: sanitizers bring a malloc of their own.
int allocation_count_works(void);
// Begins to count the calling thread's allocations.
void allocation_count_begin(void);
// Ends it, and returns their number.
unsigned long allocation_count_end(void);
