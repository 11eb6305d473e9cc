/** Components that fail at any moment, and clocks that are set: the cluster recovers. */
@NullMarked
package dev.berth.sim.supervision;

import org.jspecify.annotations.NullMarked;
