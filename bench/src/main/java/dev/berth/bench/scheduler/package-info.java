/** How fast pods get their nodes, with upstream's own workloads. */
@NullMarked
package dev.berth.bench.scheduler;

import org.jspecify.annotations.NullMarked;
