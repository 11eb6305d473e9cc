/** Slices for Endpoints that people and programs write themselves. */
@NullMarked
package dev.berth.controllers.endpointslicemirroring;

import org.jspecify.annotations.NullMarked;
