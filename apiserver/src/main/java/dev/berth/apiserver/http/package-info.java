/** HTTP/1.1 and HTTP/2 over TLS, behind a blocking exchange: the only package that knows Jetty. */
@NullMarked
package dev.berth.apiserver.http;

import org.jspecify.annotations.NullMarked;
