/** Services on this node: rules of the kernel that lead packets to endpoints. */
@NullMarked
package dev.berth.agent.proxy;

import org.jspecify.annotations.NullMarked;
