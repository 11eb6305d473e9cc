/** The group policy: disruption budgets. */
@NullMarked
package dev.berth.kinds.policy;

import org.jspecify.annotations.NullMarked;
