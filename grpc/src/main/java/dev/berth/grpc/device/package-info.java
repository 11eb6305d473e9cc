/** Speaks with device plugins, for {@code agent}'s package {@code device}. */
@NullMarked
package dev.berth.grpc.device;

import org.jspecify.annotations.NullMarked;
