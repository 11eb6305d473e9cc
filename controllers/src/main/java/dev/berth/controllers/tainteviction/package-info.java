/** Evicts pods from nodes whose NoExecute taints they do not tolerate, or no longer. */
@NullMarked
package dev.berth.controllers.tainteviction;

import org.jspecify.annotations.NullMarked;
