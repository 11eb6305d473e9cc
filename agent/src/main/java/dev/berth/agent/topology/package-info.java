/**
 * Gives pods processors, memory and devices that are close to each other: the CPU manager, the
 * memory manager and the topology manager of a kubelet. What is decided, {@code policy} decides.
 */
@NullMarked
package dev.berth.agent.topology;

import org.jspecify.annotations.NullMarked;
