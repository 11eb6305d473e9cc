/** The group authentication.k8s.io: reviews that ask who somebody is. */
@NullMarked
package dev.berth.kinds.authentication;

import org.jspecify.annotations.NullMarked;
