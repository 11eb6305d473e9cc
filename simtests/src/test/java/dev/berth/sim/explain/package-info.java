/** Explanations, held against what then happens. */
@NullMarked
package dev.berth.sim.explain;

import org.jspecify.annotations.NullMarked;
