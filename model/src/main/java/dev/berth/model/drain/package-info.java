/** NodeDrains, and the nodes that they are about. */
@NullMarked
package dev.berth.model.drain;

import org.jspecify.annotations.NullMarked;
