/** Cluster IPs and node ports: who writes a service is given them, each to one service only. */
@NullMarked
package dev.berth.admission.service;

import org.jspecify.annotations.NullMarked;
