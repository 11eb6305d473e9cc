/**
 * Probes and lifecycle hooks: how the agent asks containers how they are, and tells them things.
 */
@NullMarked
package dev.berth.agent.probe;

import org.jspecify.annotations.NullMarked;
