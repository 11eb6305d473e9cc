/** The volumes of pods: directories that are made, filled, kept up to date and removed. */
@NullMarked
package dev.berth.agent.volume;

import org.jspecify.annotations.NullMarked;
