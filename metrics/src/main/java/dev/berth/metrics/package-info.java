/** Counters, gauges and histograms that many threads change, and their text for Prometheus. */
@NullMarked
package dev.berth.metrics;

import org.jspecify.annotations.NullMarked;
