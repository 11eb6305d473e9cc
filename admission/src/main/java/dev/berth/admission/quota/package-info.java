/** Keeps what quotas say is used equal to what is there. Acts through the registry alone. */
@NullMarked
package dev.berth.admission.quota;

import org.jspecify.annotations.NullMarked;
