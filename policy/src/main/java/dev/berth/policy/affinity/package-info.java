/** Which nodes a pod's selectors allow and prefer. */
@NullMarked
package dev.berth.policy.affinity;

import org.jspecify.annotations.NullMarked;
