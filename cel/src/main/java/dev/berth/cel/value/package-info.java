/** Types and values of the language: which Java objects stand for them, equality and order. */
@NullMarked
package dev.berth.cel.value;

import org.jspecify.annotations.NullMarked;
