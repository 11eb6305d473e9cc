/** The commands that start and stop a server. */
@NullMarked
package dev.berth.cli.server;

import org.jspecify.annotations.NullMarked;
