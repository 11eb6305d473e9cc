/** Requests that are made to cost a server more than they cost their sender. */
@NullMarked
package dev.berth.sim.hostile;

import org.jspecify.annotations.NullMarked;
