/** Keeps the revisions of the templates of DaemonSets and StatefulSets. */
@NullMarked
package dev.berth.controllers.history;

import org.jspecify.annotations.NullMarked;
