/** How commands on its machine reach a running agent: a socket in its directory. */
@NullMarked
package dev.berth.agent.control;

import org.jspecify.annotations.NullMarked;
