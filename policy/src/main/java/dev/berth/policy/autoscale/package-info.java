/** How many replicas an autoscaler wants, by its metrics, and how fast it may get there. */
@NullMarked
package dev.berth.policy.autoscale;

import org.jspecify.annotations.NullMarked;
