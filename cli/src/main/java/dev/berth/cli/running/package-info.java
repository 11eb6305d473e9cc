/** What commands have in common that run until somebody stops them. */
@NullMarked
package dev.berth.cli.running;

import org.jspecify.annotations.NullMarked;
