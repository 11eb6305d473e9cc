/** Which devices a claim gets on a node. */
@NullMarked
package dev.berth.policy.allocation;

import org.jspecify.annotations.NullMarked;
