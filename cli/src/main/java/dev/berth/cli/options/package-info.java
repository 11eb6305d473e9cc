/** Options that several commands have, and the settings that they stand for. */
@NullMarked
package dev.berth.cli.options;

import org.jspecify.annotations.NullMarked;
