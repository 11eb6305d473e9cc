/** That the fault simulation finds bugs, and finds none that were not planted. */
@NullMarked
package dev.berth.sim.fuzz;

import org.jspecify.annotations.NullMarked;
