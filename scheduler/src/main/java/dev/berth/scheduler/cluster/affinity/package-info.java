/** Which pods belong to a selection or a term, and how many of them are on each node. */
@NullMarked
package dev.berth.scheduler.cluster.affinity;

import org.jspecify.annotations.NullMarked;
