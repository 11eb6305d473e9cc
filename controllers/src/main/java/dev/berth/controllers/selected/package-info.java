/** Pods by the selectors that select them. */
@NullMarked
package dev.berth.controllers.selected;

import org.jspecify.annotations.NullMarked;
