/** The node agent: makes a machine a node, and runs the pods that are bound to it. */
@NullMarked
package dev.berth.agent;

import org.jspecify.annotations.NullMarked;
