/** The framework of plugins: filters, scores, and the events that may help pods they refused. */
@NullMarked
package dev.berth.scheduler.plugin;

import org.jspecify.annotations.NullMarked;
