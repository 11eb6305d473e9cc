/** Nodes as the scheduler sees them: what is known of each beside its resources, by index. */
@NullMarked
package dev.berth.scheduler.cluster.node;

import org.jspecify.annotations.NullMarked;
