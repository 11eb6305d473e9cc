/** Seccomp profiles that an administrator put on the machine, compiled to filters of the kernel. */
@NullMarked
package dev.berth.agent.seccomp;

import org.jspecify.annotations.NullMarked;
