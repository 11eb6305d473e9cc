/** Claims on devices: how they are made for pods, and when they are given back. */
@NullMarked
package dev.berth.policy.resourceclaim;

import org.jspecify.annotations.NullMarked;
