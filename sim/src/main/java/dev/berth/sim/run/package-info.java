/** Plays scenarios in a whole cluster on virtual time. */
@NullMarked
package dev.berth.sim.run;

import org.jspecify.annotations.NullMarked;
