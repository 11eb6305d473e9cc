@NullMarked
package dev.berth.policy.disruption;

import org.jspecify.annotations.NullMarked;
