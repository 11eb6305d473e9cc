/** What can be turned on and off by name, and what it is by default. */
@NullMarked
package dev.berth.policy.gate;

import org.jspecify.annotations.NullMarked;
