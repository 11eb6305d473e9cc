/** What a node reports of itself: conditions, allocatable resources, when it does, and as whom. */
@NullMarked
package dev.berth.policy.nodestatus;

import org.jspecify.annotations.NullMarked;
