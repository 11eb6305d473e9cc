/** Simulated nodes that behave as real ones would: their settings, and how they are controlled. */
@NullMarked
package dev.berth.hollow;

import org.jspecify.annotations.NullMarked;
