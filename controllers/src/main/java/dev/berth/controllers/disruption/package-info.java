/** Keeps count of how many pods each disruption budget can spare. */
@NullMarked
package dev.berth.controllers.disruption;

import org.jspecify.annotations.NullMarked;
