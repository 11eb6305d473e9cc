@NullMarked
package dev.berth.policy.affinity;

import org.jspecify.annotations.NullMarked;
