/** Gives each node addresses for its pods. */
@NullMarked
package dev.berth.controllers.nodeipam;

import org.jspecify.annotations.NullMarked;
