/** What a command is, and how a command line is read, explained and refused. */
@NullMarked
package dev.berth.cli.arguments;

import org.jspecify.annotations.NullMarked;
