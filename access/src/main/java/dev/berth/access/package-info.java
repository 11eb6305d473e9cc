/** Who sends a request, and whether they may. */
@NullMarked
package dev.berth.access;

import org.jspecify.annotations.NullMarked;
