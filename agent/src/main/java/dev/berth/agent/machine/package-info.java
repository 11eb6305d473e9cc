/**
 * What the machine is that this node runs on, read from its {@code /proc}, {@code /sys} and {@code
 * /etc}.
 */
@NullMarked
package dev.berth.agent.machine;

import org.jspecify.annotations.NullMarked;
