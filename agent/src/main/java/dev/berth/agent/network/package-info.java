/** The network of pods: a bridge, addresses, and ports of the machine that lead to pods. */
@NullMarked
package dev.berth.agent.network;

import org.jspecify.annotations.NullMarked;
