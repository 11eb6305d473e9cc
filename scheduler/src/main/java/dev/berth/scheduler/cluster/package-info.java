/** The cluster as the scheduler sees it: nodes in columns, the pods on them, and what changed. */
@NullMarked
package dev.berth.scheduler.cluster;

import org.jspecify.annotations.NullMarked;
