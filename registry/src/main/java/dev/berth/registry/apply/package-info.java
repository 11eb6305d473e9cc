/** Who owns which fields of an object, and server-side apply, as pure operations on trees. */
@NullMarked
package dev.berth.registry.apply;

import org.jspecify.annotations.NullMarked;
