/** How a namespace that is being deleted comes to its end. */
@NullMarked
package dev.berth.policy.namespace;

import org.jspecify.annotations.NullMarked;
