/** Which requests webhooks and admission policies are about, and how a request looks to them. */
@NullMarked
package dev.berth.admission.match;

import org.jspecify.annotations.NullMarked;
