/** Policies that expressions make: which are in force, and what they do to a request. */
@NullMarked
package dev.berth.admission.policy;

import org.jspecify.annotations.NullMarked;
