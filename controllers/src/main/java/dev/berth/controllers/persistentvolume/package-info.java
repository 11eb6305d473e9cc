/** Binds claims to volumes, has volumes made, and sees to those that are released. */
@NullMarked
package dev.berth.controllers.persistentvolume;

import org.jspecify.annotations.NullMarked;
