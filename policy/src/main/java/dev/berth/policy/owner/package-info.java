/** Which objects belong to which controller. */
@NullMarked
package dev.berth.policy.owner;

import org.jspecify.annotations.NullMarked;
