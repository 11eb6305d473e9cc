/** The group certificates.k8s.io: certificate signing requests. */
@NullMarked
package dev.berth.kinds.certificates;

import org.jspecify.annotations.NullMarked;
