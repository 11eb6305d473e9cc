/** What a server holds in memory for what is in its cluster. */
@NullMarked
package dev.berth.bench.memory;

import org.jspecify.annotations.NullMarked;
