/** Machines for tests: hosts with networks, mounts and names of their own, and Berth on them. */
@NullMarked
package dev.berth.cli.machines;

import org.jspecify.annotations.NullMarked;
