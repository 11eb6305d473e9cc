/**
 * The runtime {@code process}: containers are processes of this machine, in namespaces and cgroups,
 * started with the tools of util-linux and held by a shell each, so that they do not need the agent
 * to go on.
 */
@NullMarked
package dev.berth.agent.runtime.process;

import org.jspecify.annotations.NullMarked;
