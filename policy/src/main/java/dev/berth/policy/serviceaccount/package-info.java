/** Rules about the tokens of service accounts. */
@NullMarked
package dev.berth.policy.serviceaccount;

import org.jspecify.annotations.NullMarked;
