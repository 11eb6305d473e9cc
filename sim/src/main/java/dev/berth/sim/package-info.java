/** A whole cluster on virtual time: the production code, a store in memory, and a clock to turn. */
@NullMarked
package dev.berth.sim;

import org.jspecify.annotations.NullMarked;
