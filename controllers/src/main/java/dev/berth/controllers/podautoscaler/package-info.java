/** Scales workloads by what their pods use: HorizontalPodAutoscalers. */
@NullMarked
package dev.berth.controllers.podautoscaler;

import org.jspecify.annotations.NullMarked;
