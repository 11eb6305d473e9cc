/** Which devices of device plugins a node has, and which container gets which of them (T7). */
@NullMarked
package dev.berth.policy.device;

import org.jspecify.annotations.NullMarked;
