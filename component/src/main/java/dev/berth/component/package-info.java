/** Keeps the components of a process running, and knows how they are. */
@NullMarked
package dev.berth.component;

import org.jspecify.annotations.NullMarked;
