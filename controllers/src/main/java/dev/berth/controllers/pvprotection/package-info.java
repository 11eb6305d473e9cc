/** Keeps volumes that are being deleted until no claim has them. */
@NullMarked
package dev.berth.controllers.pvprotection;

import org.jspecify.annotations.NullMarked;
