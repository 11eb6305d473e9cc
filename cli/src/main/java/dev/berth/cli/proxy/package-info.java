/** {@code berth proxy}: the servers of a cluster behind one address of this machine. */
@NullMarked
package dev.berth.cli.proxy;

import org.jspecify.annotations.NullMarked;
