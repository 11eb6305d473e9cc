/** Forecasts, held against what then happens. */
@NullMarked
package dev.berth.sim.forecast;

import org.jspecify.annotations.NullMarked;
