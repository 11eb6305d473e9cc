/** The group coordination.k8s.io: leases. */
@NullMarked
package dev.berth.kinds.coordination;

import org.jspecify.annotations.NullMarked;
