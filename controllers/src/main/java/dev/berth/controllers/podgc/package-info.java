/** Deletes pods that nobody else will: orphaned, finished in great number, out of service. */
@NullMarked
package dev.berth.controllers.podgc;

import org.jspecify.annotations.NullMarked;
