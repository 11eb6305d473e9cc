/** What is to be simulated: scenario files, and what they mean. */
@NullMarked
package dev.berth.sim.scenario;

import org.jspecify.annotations.NullMarked;
