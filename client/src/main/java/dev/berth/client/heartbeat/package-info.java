/** How nodes show that they live: their leases, and how long they wait before they try again. */
@NullMarked
package dev.berth.client.heartbeat;

import org.jspecify.annotations.NullMarked;
