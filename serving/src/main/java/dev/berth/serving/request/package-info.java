/** What a request says: its path, its query, and the representation that it accepts. */
@NullMarked
package dev.berth.serving.request;

import org.jspecify.annotations.NullMarked;
