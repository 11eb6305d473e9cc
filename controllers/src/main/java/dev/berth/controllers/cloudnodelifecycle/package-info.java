/** Deletes nodes whose machines are gone, and taints those whose machines are stopped. */
@NullMarked
package dev.berth.controllers.cloudnodelifecycle;

import org.jspecify.annotations.NullMarked;
