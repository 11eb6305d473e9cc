/** The command that runs hollow nodes, and tells them what to do. */
@NullMarked
package dev.berth.cli.hollow;

import org.jspecify.annotations.NullMarked;
