/**
 * Requests to other servers over HTTP/1.1, each on a connection of its own, with upgrades: what
 * Java's own client cannot do.
 */
@NullMarked
package dev.berth.http.outgoing;

import org.jspecify.annotations.NullMarked;
