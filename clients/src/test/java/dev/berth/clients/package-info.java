/** The same program through client libraries that others wrote. */
@NullMarked
package dev.berth.clients;

import org.jspecify.annotations.NullMarked;
