/** Amounts of resources as Kubernetes writes them: {@code 500m}, {@code 1.5Gi}, {@code 12e6}. */
@NullMarked
package dev.berth.model.quantity;

import org.jspecify.annotations.NullMarked;
