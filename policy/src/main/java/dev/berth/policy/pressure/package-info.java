/** Node pressure: when a node is short of something, and which of its pods go first. */
@NullMarked
package dev.berth.policy.pressure;

import org.jspecify.annotations.NullMarked;
