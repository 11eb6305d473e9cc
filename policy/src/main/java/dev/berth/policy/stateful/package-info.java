/**
 * The pods of a StatefulSet: their identities, their claims, and in which order they come and go.
 */
@NullMarked
package dev.berth.policy.stateful;

import org.jspecify.annotations.NullMarked;
