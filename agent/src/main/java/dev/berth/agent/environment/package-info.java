/** The environment of containers: variables, what they come from, and what they expand to. */
@NullMarked
package dev.berth.agent.environment;

import org.jspecify.annotations.NullMarked;
