/** The {@code berth} command. */
@NullMarked
package dev.berth.cli;

import org.jspecify.annotations.NullMarked;
