/** How a deployment goes from one template to the next, and how it stands. */
@NullMarked
package dev.berth.policy.deployment;

import org.jspecify.annotations.NullMarked;
