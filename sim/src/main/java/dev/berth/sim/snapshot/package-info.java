/** What was seen of a cluster at an instant: read without changing anything, kept in a file. */
@NullMarked
package dev.berth.sim.snapshot;

import org.jspecify.annotations.NullMarked;
