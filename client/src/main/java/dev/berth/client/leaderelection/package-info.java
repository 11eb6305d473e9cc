/** Which of several instances leads, and what only the leader runs. */
@NullMarked
package dev.berth.client.leaderelection;

import org.jspecify.annotations.NullMarked;
