/** Persistent volumes, claims and storage classes, and what is assumed to be written about them. */
@NullMarked
package dev.berth.scheduler.cluster.volume;

import org.jspecify.annotations.NullMarked;
