/** How fast it is decided who may do what. */
@NullMarked
package dev.berth.bench.access;

import org.jspecify.annotations.NullMarked;
