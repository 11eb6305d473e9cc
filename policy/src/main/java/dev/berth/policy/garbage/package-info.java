/** What becomes of objects whose owners are gone, or wait for them to go. */
@NullMarked
package dev.berth.policy.garbage;

import org.jspecify.annotations.NullMarked;
