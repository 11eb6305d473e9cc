/** The group admissionregistration.k8s.io: webhooks and admission policies. */
@NullMarked
package dev.berth.kinds.admissionregistration;

import org.jspecify.annotations.NullMarked;
