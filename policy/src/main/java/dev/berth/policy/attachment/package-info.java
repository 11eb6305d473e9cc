/** Which volumes are attached to which nodes, and when they are detached again. */
@NullMarked
package dev.berth.policy.attachment;

import org.jspecify.annotations.NullMarked;
