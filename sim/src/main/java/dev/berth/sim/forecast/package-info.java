/** What a taint, a cordon, a drain or a loss would do to a cluster, before it is done. */
@NullMarked
package dev.berth.sim.forecast;

import org.jspecify.annotations.NullMarked;
