/** Bootstrap tokens: how machines come to trust a cluster that they are to join, and how long. */
@NullMarked
package dev.berth.policy.bootstrap;

import org.jspecify.annotations.NullMarked;
