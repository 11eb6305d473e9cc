/** What must hold after every write to the store, whatever fails. */
@NullMarked
package dev.berth.sim.fuzz.invariant;

import org.jspecify.annotations.NullMarked;
