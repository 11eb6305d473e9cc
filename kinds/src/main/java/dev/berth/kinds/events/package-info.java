/** Events: one kind of object that the core group and events.k8s.io show in their own words. */
@NullMarked
package dev.berth.kinds.events;

import org.jspecify.annotations.NullMarked;
