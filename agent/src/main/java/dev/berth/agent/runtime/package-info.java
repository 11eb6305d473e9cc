/** What runs containers: the contract between the agent's pods and a runtime. */
@NullMarked
package dev.berth.agent.runtime;

import org.jspecify.annotations.NullMarked;
