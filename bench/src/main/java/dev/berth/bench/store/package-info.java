/** Measurements of the stores. */
@NullMarked
package dev.berth.bench.store;

import org.jspecify.annotations.NullMarked;
