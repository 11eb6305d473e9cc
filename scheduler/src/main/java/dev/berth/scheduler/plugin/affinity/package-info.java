/** Pods near and far from other pods. */
@NullMarked
package dev.berth.scheduler.plugin.affinity;

import org.jspecify.annotations.NullMarked;
