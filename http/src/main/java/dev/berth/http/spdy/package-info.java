/**
 * The server's side of SPDY/3.1 over a connection that was upgraded, as far as Kubernetes' clients
 * use it: streams that the client opens, without flow control beyond that of TCP.
 */
@NullMarked
package dev.berth.http.spdy;

import org.jspecify.annotations.NullMarked;
