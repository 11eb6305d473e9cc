/** How a machine joins a cluster, and keeps the certificates that make it a node. */
@NullMarked
package dev.berth.agent.join;

import org.jspecify.annotations.NullMarked;
