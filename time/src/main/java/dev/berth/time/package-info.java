/** Clock, timers and loops: on the wall clock, and on a clock that a test turns. */
@NullMarked
package dev.berth.time;

import org.jspecify.annotations.NullMarked;
