/** What the decisions of controllers have in common. */
@NullMarked
package dev.berth.policy.reconcile;

import org.jspecify.annotations.NullMarked;
