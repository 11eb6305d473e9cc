/** The {@code berth} command: finds out which command was asked for, and runs it. */
@NullMarked
package dev.berth.cli;

import org.jspecify.annotations.NullMarked;
