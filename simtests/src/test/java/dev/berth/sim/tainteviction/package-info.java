/** Taint eviction on virtual time, row by row, and under faults. */
@NullMarked
package dev.berth.sim.tainteviction;

import org.jspecify.annotations.NullMarked;
