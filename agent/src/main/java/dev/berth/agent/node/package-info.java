/** The node itself: its registration, its health and what it reports of its machine. */
@NullMarked
package dev.berth.agent.node;

import org.jspecify.annotations.NullMarked;
