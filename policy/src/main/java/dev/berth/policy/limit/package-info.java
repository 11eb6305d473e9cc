/** How large the pods and claims of a namespace are, and may be: LimitRanges. */
@NullMarked
package dev.berth.policy.limit;

import org.jspecify.annotations.NullMarked;
