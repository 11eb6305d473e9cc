/** Admission webhooks: who is asked, and what becomes of their answers. */
@NullMarked
package dev.berth.admission.webhook;

import org.jspecify.annotations.NullMarked;
