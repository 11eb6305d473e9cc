/** Requests to etcd over gRPC. */
@NullMarked
package dev.berth.grpc.etcd;

import org.jspecify.annotations.NullMarked;
