/** The forms in which clients send objects and ask for them, and the tags of what was sent. */
@NullMarked
package dev.berth.serving.wire;

import org.jspecify.annotations.NullMarked;
