/** The pods of this node: which there are, what they do next, and what is told of them. */
@NullMarked
package dev.berth.agent.pod;

import org.jspecify.annotations.NullMarked;
