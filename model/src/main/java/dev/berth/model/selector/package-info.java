/** Choosing objects by their labels and by their fields. */
@NullMarked
package dev.berth.model.selector;

import org.jspecify.annotations.NullMarked;
