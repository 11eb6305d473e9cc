/** The shutdown of a node: which pods end when, and how long each of them gets. */
@NullMarked
package dev.berth.policy.shutdown;

import org.jspecify.annotations.NullMarked;
