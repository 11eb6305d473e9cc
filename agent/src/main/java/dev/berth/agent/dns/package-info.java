/** The cluster's name server, as each node serves it to its own pods. */
@NullMarked
package dev.berth.agent.dns;

import org.jspecify.annotations.NullMarked;
