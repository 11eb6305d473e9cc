/**
 * Requests that another server answers: the kubelet of a node, a pod, a service. They are passed on
 * to it, and its answer, or the connection itself, is passed back.
 */
@NullMarked
package dev.berth.serving.connect;

import org.jspecify.annotations.NullMarked;
