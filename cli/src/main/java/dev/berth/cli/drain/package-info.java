/** {@code berth drain}: asks for drains that the server carries out, and follows them. */
@NullMarked
package dev.berth.cli.drain;

import org.jspecify.annotations.NullMarked;
