/** Preemption: which pods are evicted for one of higher priority, and on which node. */
@NullMarked
package dev.berth.scheduler.preemption;

import org.jspecify.annotations.NullMarked;
