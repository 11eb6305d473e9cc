/** Libraries that are on no class path, and are loaded when they are needed. */
@NullMarked
package dev.berth.agent.library;

import org.jspecify.annotations.NullMarked;
