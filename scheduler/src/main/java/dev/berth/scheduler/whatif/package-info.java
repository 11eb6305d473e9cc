/** A scheduler that decides on a cluster that somebody describes to it, and never acts. */
@NullMarked
package dev.berth.scheduler.whatif;

import org.jspecify.annotations.NullMarked;
