/** Objects of a cluster, listed once and kept up to date by watches, for one reader or for many. */
@NullMarked
package dev.berth.client.informer;

import org.jspecify.annotations.NullMarked;
