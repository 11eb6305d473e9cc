/** Keeps as many pods of a template as a ReplicationController says. */
@NullMarked
package dev.berth.controllers.replication;

import org.jspecify.annotations.NullMarked;
