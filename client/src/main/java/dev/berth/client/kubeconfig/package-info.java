/** Where clients find a server, whom they trust, and how they say who they are. */
@NullMarked
package dev.berth.client.kubeconfig;

import org.jspecify.annotations.NullMarked;
