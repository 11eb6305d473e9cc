/** Runtimes that are other processes, as the agent knows them without what it speaks to them. */
@NullMarked
package dev.berth.agent.runtime.remote;

import org.jspecify.annotations.NullMarked;
