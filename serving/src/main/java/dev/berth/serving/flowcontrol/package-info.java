/**
 * How many requests run at once, and whose turn it is: API priority and fairness, or plain limits.
 * What is decided is in {@code policy.flowcontrol}; here are the threads that wait, the objects
 * that configure it, and the metrics.
 */
@NullMarked
package dev.berth.serving.flowcontrol;

import org.jspecify.annotations.NullMarked;
