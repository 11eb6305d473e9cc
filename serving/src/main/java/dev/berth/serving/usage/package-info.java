/** What nodes and pods use, as {@code metrics.k8s.io} shows it: read from the nodes on demand. */
@NullMarked
package dev.berth.serving.usage;

import org.jspecify.annotations.NullMarked;
