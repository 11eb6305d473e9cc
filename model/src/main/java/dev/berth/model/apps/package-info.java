/** Typed views of the workloads of the API group {@code apps}, as their controllers see them. */
@NullMarked
package dev.berth.model.apps;

import org.jspecify.annotations.NullMarked;
