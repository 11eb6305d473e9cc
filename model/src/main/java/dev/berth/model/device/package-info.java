/** Devices that drivers offer, and the claims on them: the group resource.k8s.io. */
@NullMarked
package dev.berth.model.device;

import org.jspecify.annotations.NullMarked;
