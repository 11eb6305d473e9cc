/** A device plugin that is a process of its own, and tests with it. */
@NullMarked
package dev.berth.grpc.device;

import org.jspecify.annotations.NullMarked;
