/** One pod of each DaemonSet on every node that it is for. */
@NullMarked
package dev.berth.controllers.daemonset;

import org.jspecify.annotations.NullMarked;
