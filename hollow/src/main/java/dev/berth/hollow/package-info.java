/** Simulated nodes, thousands in a process, that behave as real ones would. */
@NullMarked
package dev.berth.hollow;

import org.jspecify.annotations.NullMarked;
