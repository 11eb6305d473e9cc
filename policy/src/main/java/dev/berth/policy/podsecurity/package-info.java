/** The Pod Security Standards: what pods of a namespace may ask for. */
@NullMarked
package dev.berth.policy.podsecurity;

import org.jspecify.annotations.NullMarked;
