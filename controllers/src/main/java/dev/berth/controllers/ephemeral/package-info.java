/** Makes the claims of volumes that live and go with their pods. */
@NullMarked
package dev.berth.controllers.ephemeral;

import org.jspecify.annotations.NullMarked;
