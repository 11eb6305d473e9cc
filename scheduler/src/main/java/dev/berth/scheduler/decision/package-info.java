/** Where a pod goes, or why it can go nowhere: a pure function of the cluster and the pod. */
@NullMarked
package dev.berth.scheduler.decision;

import org.jspecify.annotations.NullMarked;
