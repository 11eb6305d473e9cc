/** How pods of one node reach those of others. */
@NullMarked
package dev.berth.policy.route;

import org.jspecify.annotations.NullMarked;
