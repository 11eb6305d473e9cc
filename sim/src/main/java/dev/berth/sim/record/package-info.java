/** What happened in a simulated cluster, as its API showed it. */
@NullMarked
package dev.berth.sim.record;

import org.jspecify.annotations.NullMarked;
