/** From the text of an expression to its tree, macros expanded. */
@NullMarked
package dev.berth.cel.syntax;

import org.jspecify.annotations.NullMarked;
