/** The revisions of a DaemonSet's or a StatefulSet's template. */
@NullMarked
package dev.berth.policy.history;

import org.jspecify.annotations.NullMarked;
