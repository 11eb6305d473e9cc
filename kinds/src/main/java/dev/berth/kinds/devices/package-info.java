/** The group resource.k8s.io: devices that drivers offer, and the claims on them. */
@NullMarked
package dev.berth.kinds.devices;

import org.jspecify.annotations.NullMarked;
