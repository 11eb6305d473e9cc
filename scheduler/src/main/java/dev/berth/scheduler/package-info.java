/** Places pods on nodes: what it hears from the API server, decides, and does through it. */
@NullMarked
package dev.berth.scheduler;

import org.jspecify.annotations.NullMarked;
