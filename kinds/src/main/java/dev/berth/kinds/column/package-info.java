/** The columns in which {@code kubectl get} prints objects, and what their cells are made of. */
@NullMarked
package dev.berth.kinds.column;

import org.jspecify.annotations.NullMarked;
