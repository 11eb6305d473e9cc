/** Pod garbage collection on virtual time. */
@NullMarked
package dev.berth.sim.podgc;

import org.jspecify.annotations.NullMarked;
