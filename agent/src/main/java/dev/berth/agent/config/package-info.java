/** The agent's configuration file, upstream's KubeletConfiguration. */
@NullMarked
package dev.berth.agent.config;

import org.jspecify.annotations.NullMarked;
