/** The group authorization.k8s.io: reviews that ask what somebody may do. */
@NullMarked
package dev.berth.kinds.authorization;

import org.jspecify.annotations.NullMarked;
