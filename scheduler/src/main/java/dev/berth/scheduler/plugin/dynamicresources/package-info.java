/** Pods go where the devices are that they claim. */
@NullMarked
package dev.berth.scheduler.plugin.dynamicresources;

import org.jspecify.annotations.NullMarked;
