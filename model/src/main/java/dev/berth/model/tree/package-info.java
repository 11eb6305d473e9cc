/** The immutable, compact tree that every Kubernetes object is held in. */
@NullMarked
package dev.berth.model.tree;

import org.jspecify.annotations.NullMarked;
