/** What becomes of nodes whose machines belong to a cloud. */
@NullMarked
package dev.berth.policy.cloud;

import org.jspecify.annotations.NullMarked;
