/** How nodes are drained: which pods go, in which order, and when it is over. */
@NullMarked
package dev.berth.policy.drain;

import org.jspecify.annotations.NullMarked;
