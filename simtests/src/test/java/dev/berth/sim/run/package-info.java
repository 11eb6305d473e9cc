/** What is done to simulated clusters happens, whatever fails in them. */
@NullMarked
package dev.berth.sim.run;

import org.jspecify.annotations.NullMarked;
