/** What becomes of pods on a hollow node, and how their status says it: pure decisions. */
@NullMarked
package dev.berth.hollow.pod;

import org.jspecify.annotations.NullMarked;
