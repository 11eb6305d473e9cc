/** Typed views of services, and of the slices and endpoints that stand for their pods. */
@NullMarked
package dev.berth.model.network;

import org.jspecify.annotations.NullMarked;
