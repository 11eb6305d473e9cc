/** The server's side of WebSocket (RFC 6455) over a connection that was upgraded. */
@NullMarked
package dev.berth.http.websocket;

import org.jspecify.annotations.NullMarked;
