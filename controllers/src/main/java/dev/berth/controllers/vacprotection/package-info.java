/** Keeps VolumeAttributesClasses that are being deleted until no claim or volume names them. */
@NullMarked
package dev.berth.controllers.vacprotection;

import org.jspecify.annotations.NullMarked;
