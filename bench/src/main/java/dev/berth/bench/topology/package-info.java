/** How long it takes to find NUMA nodes for a container. */
@NullMarked
package dev.berth.bench.topology;

import org.jspecify.annotations.NullMarked;
