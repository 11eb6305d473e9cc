/** How every component talks to a Kubernetes API server, Berth's or any other. */
@NullMarked
package dev.berth.client;

import org.jspecify.annotations.NullMarked;
