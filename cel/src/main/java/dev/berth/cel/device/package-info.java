/** Expressions that select devices: the variable {@code device} of resource.k8s.io. */
@NullMarked
package dev.berth.cel.device;

import org.jspecify.annotations.NullMarked;
