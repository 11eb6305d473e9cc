/** Which pods are deleted because nobody else will. */
@NullMarked
package dev.berth.policy.podgc;

import org.jspecify.annotations.NullMarked;
