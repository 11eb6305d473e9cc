/**
 * Kubernetes' Common Expression Language: what may be written, whether it is right, what it costs,
 * and what it means for a tree.
 */
@NullMarked
package dev.berth.cel;

import org.jspecify.annotations.NullMarked;
