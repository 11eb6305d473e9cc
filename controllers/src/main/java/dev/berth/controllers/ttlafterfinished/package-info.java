/** Deletes jobs that have finished, some time after they did. */
@NullMarked
package dev.berth.controllers.ttlafterfinished;

import org.jspecify.annotations.NullMarked;
