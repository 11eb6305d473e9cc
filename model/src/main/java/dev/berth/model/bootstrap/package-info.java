/** Bootstrap tokens, and the ConfigMap that they sign. */
@NullMarked
package dev.berth.model.bootstrap;

import org.jspecify.annotations.NullMarked;
