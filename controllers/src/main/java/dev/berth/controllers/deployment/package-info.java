/** Brings deployments from one template to the next, by way of replica sets. */
@NullMarked
package dev.berth.controllers.deployment;

import org.jspecify.annotations.NullMarked;
