/** How packets to services reach their endpoints: which endpoints a node uses, and its rules. */
@NullMarked
package dev.berth.policy.proxy;

import org.jspecify.annotations.NullMarked;
