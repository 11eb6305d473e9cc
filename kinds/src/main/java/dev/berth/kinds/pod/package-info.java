/**
 * Pods and pod templates: declaration, defaults, validation and columns, which all workloads share.
 */
@NullMarked
package dev.berth.kinds.pod;

import org.jspecify.annotations.NullMarked;
