/**
 * The end of a node: the machine's shutdown, which is delayed until pods have ended, or somebody
 * who drains it by hand.
 */
@NullMarked
package dev.berth.agent.shutdown;

import org.jspecify.annotations.NullMarked;
