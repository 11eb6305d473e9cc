/** How much the objects of a namespace take together, and may take: ResourceQuotas. */
@NullMarked
package dev.berth.policy.quota;

import org.jspecify.annotations.NullMarked;
