/**
 * How a node runs a pod: whether it lets it in, which containers it starts and stops next, and what
 * it says about it.
 */
@NullMarked
package dev.berth.policy.podrun;

import org.jspecify.annotations.NullMarked;
