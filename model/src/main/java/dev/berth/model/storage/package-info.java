/** Typed views of volumes, claims, classes and drivers, and of what pods and nodes say of them. */
@NullMarked
package dev.berth.model.storage;

import org.jspecify.annotations.NullMarked;
