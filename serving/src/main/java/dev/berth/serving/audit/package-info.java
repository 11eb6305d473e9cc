/** The audit log: who did what, when, and what the answer was. Never what an object holds. */
@NullMarked
package dev.berth.serving.audit;

import org.jspecify.annotations.NullMarked;
