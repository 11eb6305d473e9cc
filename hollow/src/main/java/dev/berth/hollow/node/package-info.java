/** A hollow node itself: registration, lease, status and conditions. */
@NullMarked
package dev.berth.hollow.node;

import org.jspecify.annotations.NullMarked;
