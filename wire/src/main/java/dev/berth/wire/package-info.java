/** Objects of built-in kinds as Kubernetes' protobuf, as clients send them and etcd holds them. */
@NullMarked
package dev.berth.wire;

import org.jspecify.annotations.NullMarked;
