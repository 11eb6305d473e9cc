/** What speaks for and against a node, a plugin each. */
@NullMarked
package dev.berth.scheduler.plugin;

import org.jspecify.annotations.NullMarked;
