/** Groups and versions that other servers answer for, behind services of the cluster. */
@NullMarked
package dev.berth.serving.aggregation;

import org.jspecify.annotations.NullMarked;
