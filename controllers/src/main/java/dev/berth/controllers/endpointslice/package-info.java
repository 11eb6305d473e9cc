/** Writes down, in slices, which pods serve for each service. */
@NullMarked
package dev.berth.controllers.endpointslice;

import org.jspecify.annotations.NullMarked;
