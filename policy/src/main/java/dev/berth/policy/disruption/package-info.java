/** How many pods a disruption budget can spare, and whether one may be evicted. */
@NullMarked
package dev.berth.policy.disruption;

import org.jspecify.annotations.NullMarked;
