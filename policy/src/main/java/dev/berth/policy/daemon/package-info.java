/** On which nodes a DaemonSet's pods belong, and what they tolerate there. */
@NullMarked
package dev.berth.policy.daemon;

import org.jspecify.annotations.NullMarked;
