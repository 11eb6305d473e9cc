/** Typed views of autoscalers; {@link dev.berth.model.core} says what a view is. */
@NullMarked
package dev.berth.model.autoscaling;

import org.jspecify.annotations.NullMarked;
