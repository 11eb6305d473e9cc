/** Images that were imported: directories that containers use as their root. */
@NullMarked
package dev.berth.agent.image;

import org.jspecify.annotations.NullMarked;
