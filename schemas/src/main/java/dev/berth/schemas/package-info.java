/** Generates the schemas of the built-in types, while Berth is built. */
@NullMarked
package dev.berth.schemas;

import org.jspecify.annotations.NullMarked;
