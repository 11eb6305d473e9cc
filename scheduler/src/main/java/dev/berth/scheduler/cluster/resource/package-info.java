/** The resources that nodes have and pods request, as columns of numbers. */
@NullMarked
package dev.berth.scheduler.cluster.resource;

import org.jspecify.annotations.NullMarked;
