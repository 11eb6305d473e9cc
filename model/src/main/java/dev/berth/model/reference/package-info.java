/** Which other objects an object uses. */
@NullMarked
package dev.berth.model.reference;

import org.jspecify.annotations.NullMarked;
