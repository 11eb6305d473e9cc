/** What pods and their owners are told, in the words that users of Kubernetes know. */
@NullMarked
package dev.berth.scheduler.message;

import org.jspecify.annotations.NullMarked;
