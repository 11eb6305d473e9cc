/** How evenly pods are spread over zones, nodes and other domains. */
@NullMarked
package dev.berth.scheduler.plugin.spread;

import org.jspecify.annotations.NullMarked;
