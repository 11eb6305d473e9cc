/** Makes a node's lease the node's own, and removes it with its node. */
@NullMarked
package dev.berth.controllers.nodelease;

import org.jspecify.annotations.NullMarked;
