/** Pods with names of their own that come and go in order, one of each name at most. */
@NullMarked
package dev.berth.controllers.statefulset;

import org.jspecify.annotations.NullMarked;
