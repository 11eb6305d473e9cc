/** What an expression means: a plan that is evaluated on trees, counting its cost. */
@NullMarked
package dev.berth.cel.eval;

import org.jspecify.annotations.NullMarked;
