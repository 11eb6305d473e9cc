/** The volumes of hollow nodes' pods, and a driver that attaches them. */
@NullMarked
package dev.berth.hollow.volume;

import org.jspecify.annotations.NullMarked;
