/** What a server gives in its first minute, with everything on, as a new user starts it. */
@NullMarked
package dev.berth.bench.firstminute;

import org.jspecify.annotations.NullMarked;
