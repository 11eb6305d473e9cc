/** The group scheduling.k8s.io: priority classes. */
@NullMarked
package dev.berth.kinds.scheduling;

import org.jspecify.annotations.NullMarked;
