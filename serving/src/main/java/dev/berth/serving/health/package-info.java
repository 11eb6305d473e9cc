/** Whether the server is well: the checks behind {@code /livez} and {@code /readyz}. */
@NullMarked
package dev.berth.serving.health;

import org.jspecify.annotations.NullMarked;
