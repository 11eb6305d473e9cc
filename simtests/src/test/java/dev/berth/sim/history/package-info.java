/** Random histories of a cluster on virtual time: faults, crashes and invariants. */
@NullMarked
package dev.berth.sim.history;

import org.jspecify.annotations.NullMarked;
