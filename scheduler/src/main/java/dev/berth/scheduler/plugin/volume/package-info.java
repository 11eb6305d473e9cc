/** What a pod's volumes say about nodes, and what is to be done about them before it is bound. */
@NullMarked
package dev.berth.scheduler.plugin.volume;

import org.jspecify.annotations.NullMarked;
