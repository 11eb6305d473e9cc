/** Moves everything from one store to another of a different kind. */
@NullMarked
package dev.berth.store.migration;

import org.jspecify.annotations.NullMarked;
