/** The group discovery.k8s.io: endpoint slices. */
@NullMarked
package dev.berth.kinds.discovery;

import org.jspecify.annotations.NullMarked;
