/** Pods take room on nodes: whether there is enough, and which node to take it from. */
@NullMarked
package dev.berth.scheduler.plugin.resources;

import org.jspecify.annotations.NullMarked;
