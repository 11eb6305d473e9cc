/** The group node.k8s.io: runtime classes. */
@NullMarked
package dev.berth.kinds.node;

import org.jspecify.annotations.NullMarked;
