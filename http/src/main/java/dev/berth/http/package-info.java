/** Requests, responses and streams as handlers see them: blocking, and without a word of Jetty. */
@NullMarked
package dev.berth.http;

import org.jspecify.annotations.NullMarked;
