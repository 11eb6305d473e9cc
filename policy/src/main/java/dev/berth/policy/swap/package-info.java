/** Which containers may swap, and how much (N16). */
@NullMarked
package dev.berth.policy.swap;

import org.jspecify.annotations.NullMarked;
