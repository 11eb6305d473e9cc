/**
 * Keys and certificates: the cluster's authority, what it signs, and the administrator's
 * kubeconfig.
 */
@NullMarked
package dev.berth.pki;

import org.jspecify.annotations.NullMarked;
