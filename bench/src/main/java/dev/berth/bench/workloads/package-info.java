/** What workload controllers take for many pods, and for many objects. */
@NullMarked
package dev.berth.bench.workloads;

import org.jspecify.annotations.NullMarked;
