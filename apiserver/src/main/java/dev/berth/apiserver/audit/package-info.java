/** The audit log: who did what, when, and what the answer was. Never what an object holds. */
@NullMarked
package dev.berth.apiserver.audit;

import org.jspecify.annotations.NullMarked;
