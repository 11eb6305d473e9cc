/** The group apps: workloads that keep pods running. */
@NullMarked
package dev.berth.kinds.apps;

import org.jspecify.annotations.NullMarked;
