/** Node-pressure eviction: watches what the machine runs short of, and ends pods before it does. */
@NullMarked
package dev.berth.agent.eviction;

import org.jspecify.annotations.NullMarked;
