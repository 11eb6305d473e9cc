/** Measurements. Each prints its figures beside the bars they are held to; none is a test. */
@NullMarked
package dev.berth.bench;

import org.jspecify.annotations.NullMarked;
