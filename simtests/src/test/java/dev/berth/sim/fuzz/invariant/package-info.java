/** What invariants of the fault simulation count, and what they do not. */
@NullMarked
package dev.berth.sim.fuzz.invariant;

import org.jspecify.annotations.NullMarked;
