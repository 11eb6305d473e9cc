/** The rules of reading and writing objects, between the REST layer and the store. */
@NullMarked
package dev.berth.registry;

import org.jspecify.annotations.NullMarked;
