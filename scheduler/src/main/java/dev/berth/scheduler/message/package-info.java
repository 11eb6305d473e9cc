/** Events, conditions and messages about pods, in upstream's words. */
@NullMarked
package dev.berth.scheduler.message;

import org.jspecify.annotations.NullMarked;
