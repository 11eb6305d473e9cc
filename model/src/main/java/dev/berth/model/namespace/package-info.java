/** Typed views of namespaces and of what limits the objects in one. */
@NullMarked
package dev.berth.model.namespace;

import org.jspecify.annotations.NullMarked;
