/** Requests of pods: whether a node has enough left, and which node to take it from. */
@NullMarked
package dev.berth.scheduler.plugin.resources;

import org.jspecify.annotations.NullMarked;
