/** The core group: configuration, namespaces, nodes, quotas, services, volumes. */
@NullMarked
package dev.berth.kinds.core;

import org.jspecify.annotations.NullMarked;
