/** The store that forgets: all in memory, for simulations and tests. */
@NullMarked
package dev.berth.store.memory;

import org.jspecify.annotations.NullMarked;
