/**
 * Pods as the scheduler sees them: read once per revision, alike ones sharing what was computed.
 */
@NullMarked
package dev.berth.scheduler.cluster.pod;

import org.jspecify.annotations.NullMarked;
