/** Keeps as many pods of a template as a ReplicaSet says. */
@NullMarked
package dev.berth.controllers.replicaset;

import org.jspecify.annotations.NullMarked;
