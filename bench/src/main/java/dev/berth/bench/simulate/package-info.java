/** How long simulations take, as the commands that a user types. */
@NullMarked
package dev.berth.bench.simulate;

import org.jspecify.annotations.NullMarked;
