/** The group rbac.authorization.k8s.io: roles and their bindings. */
@NullMarked
package dev.berth.kinds.rbac;

import org.jspecify.annotations.NullMarked;
