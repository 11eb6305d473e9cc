/** Amounts as Kubernetes writes them: {@code 500m}, {@code 1.5Gi}, {@code 12e6}, {@code 1m30s}. */
@NullMarked
package dev.berth.model.quantity;

import org.jspecify.annotations.NullMarked;
