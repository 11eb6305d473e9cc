/** gRPC over Unix sockets. */
@NullMarked
package dev.berth.grpc.socket;

import org.jspecify.annotations.NullMarked;
