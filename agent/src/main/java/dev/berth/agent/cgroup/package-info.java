/** The kernel's groups of processes, with their limits, of versions 1 and 2. */
@NullMarked
package dev.berth.agent.cgroup;

import org.jspecify.annotations.NullMarked;
