/** Keeps claims that are being deleted until no pod uses them. */
@NullMarked
package dev.berth.controllers.pvcprotection;

import org.jspecify.annotations.NullMarked;
