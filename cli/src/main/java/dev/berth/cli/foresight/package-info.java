/** Commands that show what would happen, before it does. */
@NullMarked
package dev.berth.cli.foresight;

import org.jspecify.annotations.NullMarked;
