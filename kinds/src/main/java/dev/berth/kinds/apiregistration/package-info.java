/** The group apiregistration.k8s.io: which server answers for which group and version. */
@NullMarked
package dev.berth.kinds.apiregistration;

import org.jspecify.annotations.NullMarked;
