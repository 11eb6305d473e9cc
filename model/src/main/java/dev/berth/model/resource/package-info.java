/** What objects and their types are called, and which names are allowed. */
@NullMarked
package dev.berth.model.resource;

import org.jspecify.annotations.NullMarked;
