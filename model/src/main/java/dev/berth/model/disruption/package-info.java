/** Typed views of disruption budgets; {@link dev.berth.model.core} says what a view is. */
@NullMarked
package dev.berth.model.disruption;

import org.jspecify.annotations.NullMarked;
