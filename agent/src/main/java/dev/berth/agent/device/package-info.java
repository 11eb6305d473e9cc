/**
 * Device plugins: programs that tell the agent of devices, and how containers use them (T7). They
 * register at a socket and are called at theirs, over gRPC, which is loaded when the first of them
 * shows up ({@code AgentSocket}).
 */
@NullMarked
package dev.berth.agent.device;

import org.jspecify.annotations.NullMarked;
