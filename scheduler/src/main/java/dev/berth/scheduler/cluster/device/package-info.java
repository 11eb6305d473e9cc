/** Devices, classes and claims as the scheduler sees them. */
@NullMarked
package dev.berth.scheduler.cluster.device;

import org.jspecify.annotations.NullMarked;
