/**
 * Images of containers: their names, how to log in to their registries, and when they are removed.
 */
@NullMarked
package dev.berth.policy.image;

import org.jspecify.annotations.NullMarked;
