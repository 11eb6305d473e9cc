/** How many pods a set of replicas is to have, which of them go first, and how it stands. */
@NullMarked
package dev.berth.policy.replicaset;

import org.jspecify.annotations.NullMarked;
