/** What a pod asks of its node, and what class of service that makes it. */
@NullMarked
package dev.berth.policy.pod;

import org.jspecify.annotations.NullMarked;
