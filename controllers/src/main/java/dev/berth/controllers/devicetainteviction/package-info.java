/** Evicts pods whose devices have NoExecute taints that they do not tolerate. */
@NullMarked
package dev.berth.controllers.devicetainteviction;

import org.jspecify.annotations.NullMarked;
