/**
 * The node's own port, by which the API server and monitoring reach it: pods, logs, commands in
 * containers, port forwarding, figures.
 */
@NullMarked
package dev.berth.agent.server;

import org.jspecify.annotations.NullMarked;
