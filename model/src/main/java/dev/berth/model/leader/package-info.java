/** Who leads among several instances of a component. */
@NullMarked
package dev.berth.model.leader;

import org.jspecify.annotations.NullMarked;
