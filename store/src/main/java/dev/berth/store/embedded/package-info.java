/** The durable store of a single server: SQLite below, everything in memory above. */
@NullMarked
package dev.berth.store.embedded;

import org.jspecify.annotations.NullMarked;
