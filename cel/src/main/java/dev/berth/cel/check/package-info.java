/** Types of an expression, the overloads it calls, and the cost it may have. */
@NullMarked
package dev.berth.cel.check;

import org.jspecify.annotations.NullMarked;
