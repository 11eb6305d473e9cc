/** All kinds that are built in; a package for each API group has its resources and their rules. */
@NullMarked
package dev.berth.kinds;

import org.jspecify.annotations.NullMarked;
