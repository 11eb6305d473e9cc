/** Why pods, nodes and workloads are as they are, and what would change that. */
@NullMarked
package dev.berth.sim.explain;

import org.jspecify.annotations.NullMarked;
