@NullMarked
package dev.berth.policy.node;

import org.jspecify.annotations.NullMarked;
