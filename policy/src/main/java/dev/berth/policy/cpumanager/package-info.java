/** Which containers have processors of their own, and which (N12). */
@NullMarked
package dev.berth.policy.cpumanager;

import org.jspecify.annotations.NullMarked;
