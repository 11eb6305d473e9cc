/** The node lifecycle controller on virtual time. */
@NullMarked
package dev.berth.sim.nodelifecycle;

import org.jspecify.annotations.NullMarked;
