/** Events: what components report about the objects that they work on. */
@NullMarked
package dev.berth.client.event;

import org.jspecify.annotations.NullMarked;
