/** Several servers on one etcd. */
@NullMarked
package dev.berth.bench.etcd;

import org.jspecify.annotations.NullMarked;
