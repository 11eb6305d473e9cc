/** The group autoscaling: HorizontalPodAutoscalers in both of their versions. */
@NullMarked
package dev.berth.kinds.autoscaling;

import org.jspecify.annotations.NullMarked;
