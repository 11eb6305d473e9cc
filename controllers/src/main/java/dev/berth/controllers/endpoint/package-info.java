/** Writes down, in the older form, which pods serve for each service. */
@NullMarked
package dev.berth.controllers.endpoint;

import org.jspecify.annotations.NullMarked;
