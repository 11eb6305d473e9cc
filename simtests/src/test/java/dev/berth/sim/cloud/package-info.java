/** Nodes whose machines belong to a cloud, on virtual time. */
@NullMarked
package dev.berth.sim.cloud;

import org.jspecify.annotations.NullMarked;
