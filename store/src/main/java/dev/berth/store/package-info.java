/** The store contract, and the timeline that its implementations share. */
@NullMarked
package dev.berth.store;

import org.jspecify.annotations.NullMarked;
