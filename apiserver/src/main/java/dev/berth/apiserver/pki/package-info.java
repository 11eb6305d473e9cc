/**
 * Keys and certificates: the cluster's authority, what it signs, and the administrator's
 * kubeconfig.
 */
@NullMarked
package dev.berth.apiserver.pki;

import org.jspecify.annotations.NullMarked;
