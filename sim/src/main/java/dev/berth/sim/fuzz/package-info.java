/** The whole control plane on virtual time, under faults and a random workload, and its judges. */
@NullMarked
package dev.berth.sim.fuzz;

import org.jspecify.annotations.NullMarked;
