/** The scheduler: watches pods and nodes, decides, and binds pods through the API server. */
@NullMarked
package dev.berth.scheduler;

import org.jspecify.annotations.NullMarked;
