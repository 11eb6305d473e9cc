/** What makes bootstrap tokens work: they sign where the cluster is, and go when they end. */
@NullMarked
package dev.berth.controllers.bootstrap;

import org.jspecify.annotations.NullMarked;
