/** Nodes of real machines: joining a cluster, and the tokens for that. */
@NullMarked
package dev.berth.cli.node;

import org.jspecify.annotations.NullMarked;
