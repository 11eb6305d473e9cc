/** The command that shows, renews and rotates a cluster's own certificates and keys. */
@NullMarked
package dev.berth.cli.certs;

import org.jspecify.annotations.NullMarked;
