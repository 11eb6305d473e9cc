/** What can be configured of an agent, and its file, upstream's KubeletConfiguration. */
@NullMarked
package dev.berth.agent.config;

import org.jspecify.annotations.NullMarked;
