/** Drains nodes as NodeDrains ask for it, a custom resource that need not be there. */
@NullMarked
package dev.berth.controllers.nodedrain;

import org.jspecify.annotations.NullMarked;
