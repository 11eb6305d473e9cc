/** What every object carries: its metadata, its times, its conditions, and well-known keys. */
@NullMarked
package dev.berth.model.meta;

import org.jspecify.annotations.NullMarked;
