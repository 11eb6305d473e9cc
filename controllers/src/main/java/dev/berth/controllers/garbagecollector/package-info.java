/**
 * Deletes what belonged to objects that are gone, and lets owners go in the order they asked for.
 */
@NullMarked
package dev.berth.controllers.garbagecollector;

import org.jspecify.annotations.NullMarked;
