/** HTTP/1.1 and HTTP/2 over TLS on Jetty: the only package that knows it. */
@NullMarked
package dev.berth.http.jetty;

import org.jspecify.annotations.NullMarked;
