/** Requests and watches of components in the same process. */
@NullMarked
package dev.berth.serving.local;

import org.jspecify.annotations.NullMarked;
