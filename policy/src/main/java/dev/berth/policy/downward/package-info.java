/** What pods may be told about themselves: the downward API. */
@NullMarked
package dev.berth.policy.downward;

import org.jspecify.annotations.NullMarked;
