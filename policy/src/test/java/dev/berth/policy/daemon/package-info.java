@NullMarked
package dev.berth.policy.daemon;

import org.jspecify.annotations.NullMarked;
