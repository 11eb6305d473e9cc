/** How long one waits for a Berth that one has just cloned, changed or started. */
@NullMarked
package dev.berth.bench.build;

import org.jspecify.annotations.NullMarked;
