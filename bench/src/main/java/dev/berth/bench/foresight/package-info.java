/** How long explanations and forecasts of large clusters take. */
@NullMarked
package dev.berth.bench.foresight;

import org.jspecify.annotations.NullMarked;
