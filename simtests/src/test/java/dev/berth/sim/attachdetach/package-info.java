/** Volumes that are attached to nodes, on virtual time. */
@NullMarked
package dev.berth.sim.attachdetach;

import org.jspecify.annotations.NullMarked;
