/** How what a pod is given is kept together on NUMA nodes (N12). */
@NullMarked
package dev.berth.policy.topology;

import org.jspecify.annotations.NullMarked;
