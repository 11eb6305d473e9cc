/** Whether a node is healthy, what taints that means, and how fast its zone may be emptied. */
@NullMarked
package dev.berth.policy.node;

import org.jspecify.annotations.NullMarked;
