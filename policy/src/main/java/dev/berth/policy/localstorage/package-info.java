/** What pods may take of their node's own storage. */
@NullMarked
package dev.berth.policy.localstorage;

import org.jspecify.annotations.NullMarked;
