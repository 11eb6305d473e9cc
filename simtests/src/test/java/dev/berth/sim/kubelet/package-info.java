/** The agents of all nodes, as far as tests of workloads need them. */
@NullMarked
package dev.berth.sim.kubelet;

import org.jspecify.annotations.NullMarked;
