/** Notices that nodes are lost, and what becomes of them: conditions, taints, eviction rates. */
@NullMarked
package dev.berth.controllers.nodelifecycle;

import org.jspecify.annotations.NullMarked;
