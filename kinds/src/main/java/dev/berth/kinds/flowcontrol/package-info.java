/**
 * The group flowcontrol.apiserver.k8s.io: flow schemas and priority levels, and those that every
 * cluster has.
 */
@NullMarked
package dev.berth.kinds.flowcontrol;

import org.jspecify.annotations.NullMarked;
