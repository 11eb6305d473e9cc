/** API priority and fairness: which request may run now, which waits, and which is refused. */
@NullMarked
package dev.berth.policy.flowcontrol;

import org.jspecify.annotations.NullMarked;
