/** Who owns which fields of an object, and server-side apply, as pure operations on trees. */
@NullMarked
package dev.berth.apiserver.apply;

import org.jspecify.annotations.NullMarked;
