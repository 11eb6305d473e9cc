/** The node agent against a server in memory, on virtual time. */
@NullMarked
package dev.berth.sim.agent;

import org.jspecify.annotations.NullMarked;
