/** Events: one kind of object that two API groups show in their own words, and that fades. */
@NullMarked
package dev.berth.apiserver.event;

import org.jspecify.annotations.NullMarked;
