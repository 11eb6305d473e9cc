/** Calls of the Linux kernel that Java has no methods for, by the foreign-function API. */
@NullMarked
package dev.berth.agent.nativecalls;

import org.jspecify.annotations.NullMarked;
