/** The group networking.k8s.io: ingresses, network policies, and the addresses of services. */
@NullMarked
package dev.berth.kinds.networking;

import org.jspecify.annotations.NullMarked;
