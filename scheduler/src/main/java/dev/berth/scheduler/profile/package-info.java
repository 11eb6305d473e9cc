/** How pods of each scheduler name are placed, as a KubeSchedulerConfiguration says. */
@NullMarked
package dev.berth.scheduler.profile;

import org.jspecify.annotations.NullMarked;
