/** Ranges of addresses, and how nodes are given theirs without any two overlapping. */
@NullMarked
package dev.berth.policy.cidr;

import org.jspecify.annotations.NullMarked;
