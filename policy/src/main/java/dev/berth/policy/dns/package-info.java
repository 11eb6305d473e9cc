/** The names of services and pods: Kubernetes' DNS-based service discovery, version 1.1.0. */
@NullMarked
package dev.berth.policy.dns;

import org.jspecify.annotations.NullMarked;
