/** Which pod is tried next, and when one that could not be placed is worth another try. */
@NullMarked
package dev.berth.scheduler.queue;

import org.jspecify.annotations.NullMarked;
