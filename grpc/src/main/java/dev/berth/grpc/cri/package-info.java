/**
 * Pods in containerd, CRI-O or any other runtime that speaks Kubernetes' Container Runtime
 * Interface.
 */
@NullMarked
package dev.berth.grpc.cri;

import org.jspecify.annotations.NullMarked;
