@NullMarked
package dev.berth.policy.pod;

import org.jspecify.annotations.NullMarked;
